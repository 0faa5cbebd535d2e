import type { PluginContext } from "@longbox/sdk";
import { ResumableJobs } from "@longbox/operations/contract";
import { z } from "zod";
import { restoreViewer } from "./background.js";
import { matchingKind, type LookingUp } from "./matching/looking-up.js";
import { wantingKind, type Wanting } from "./wanting/wanting.js";

const list = z.object({ listId: z.number().int() });
const wish = list.extend({
  viewer: z.object({ user: z.object({ id: z.number().int(), username: z.string(), role: z.string() }), seesRestricted: z.boolean(), permissions: z.array(z.string()) }),
});

/** Jobs that a restart cut off go on: what they did before is in the tables and in the library. */
export function offerResuming(context: Pick<PluginContext, "contribute">, { lookingUp, wanting }: { lookingUp: LookingUp; wanting: Wanting }): void {
  context.contribute(ResumableJobs, { kind: matchingKind, resume: ({ input }, control) => lookingUp.work(list.parse(input).listId, control) });
  context.contribute(ResumableJobs, {
    kind: wantingKind,
    resume: ({ input }, control) => {
      const { listId, viewer } = wish.parse(input);
      return wanting.work(listId, restoreViewer(viewer), control);
    },
  });
}
