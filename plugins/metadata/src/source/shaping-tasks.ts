import { z } from "zod";
import type { Arc, ArcSummary, ReleasedIssue, SourceIssue, SourceVolume, VolumeSummary } from "../contract.js";
import { ProviderFailure } from "../upstream-errors.js";
import {
  arcSchema,
  issueSchema,
  toArc,
  toArcSummary,
  toIssue,
  toReleased,
  toSummary,
  toVolume,
  volumeSchema,
} from "./comicvine-shapes.js";

/** The `results` of answers, and what is made of them. */
export type ShapingTasks = {
  volume: { input: { volume: unknown; issues: readonly unknown[] }; output: SourceVolume };
  volumeSummaries: { input: readonly unknown[]; output: VolumeSummary[] };
  issue: { input: unknown; output: SourceIssue };
  releases: { input: readonly unknown[]; output: ReleasedIssue[] };
  arc: { input: unknown; output: Arc };
  arcSummaries: { input: readonly unknown[]; output: ArcSummary[] };
};

export const shapingTasks: {
  [Task in keyof ShapingTasks]: (input: ShapingTasks[Task]["input"]) => ShapingTasks[Task]["output"];
} = {
  volume: ({ volume, issues }) => toVolume(understand(volumeSchema, volume), understand(z.array(issueSchema), issues)),
  volumeSummaries: (results) => understand(z.array(volumeSchema), results).map(toSummary),
  issue: (results) => toIssue(understand(issueSchema, results)),
  releases: (results) => understand(z.array(issueSchema), results).map(toReleased),
  arc: (results) => toArc(understand(arcSchema, results)),
  arcSummaries: (results) => understand(z.array(arcSchema), results).map(toArcSummary),
};

/** @throws {ProviderFailure} when the answer does not match the protocol's schema */
function understand<S extends z.ZodType>(schema: S, results: unknown): z.output<S> {
  const parsed = schema.safeParse(results);
  if (!parsed.success)
    throw new ProviderFailure("The provider's answer has an unexpected format.", { cause: parsed.error });
  return parsed.data;
}
