import type { PluginContext } from "@longbox/sdk";
import { ResumableJobs } from "@longbox/operations/contract";
import { z } from "zod";
import type { Describing } from "./describing.js";
import { matchingKind, type LookingUp } from "./matching/looking-up.js";
import { wantingKind, type Wanting } from "./wanting/wanting.js";

const request = z.object({ listId: z.number().int(), userId: z.number().int() });
const lookUpRequest = request.extend({ again: z.boolean() });

/** Resumes jobs that a restart interrupted; their progress is in the tables and in the library. */
export function offerResuming(
  context: Pick<PluginContext, "contribute">,
  { lookingUp, wanting, describing }: { lookingUp: LookingUp; wanting: Wanting; describing: Describing },
): void {
  context.contribute(ResumableJobs, describing.resumable());
  context.contribute(ResumableJobs, {
    kind: matchingKind,
    resume: ({ input, checkpoint }, control) =>
      lookingUp.work(lookUpRequest.parse(input), control, checkpoint !== undefined),
  });
  context.contribute(ResumableJobs, {
    kind: wantingKind,
    resume: ({ input }, control) => {
      const { listId, userId } = request.parse(input);
      return wanting.work(listId, userId, control);
    },
  });
}
