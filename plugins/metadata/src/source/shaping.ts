import type { PluginContext, Releasable } from "@longbox/sdk";
import { TaskThread } from "@longbox/sdk/light";
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

/** Up to this many characters are read at once, since a thread would take longer. */
const atOnceCharacters = 64 * 1024;

/** Reads the results of answers, with the markup in their texts: what is long in a thread of its own. */
export class Shaping implements Releasable {
  readonly #thread: TaskThread<ShapingTasks>;

  constructor(context: Pick<PluginContext, "worker">) {
    this.#thread = new TaskThread({
      start: () => context.worker("shape", undefined, { expendable: true, heapMegabytes: 256 }),
    });
  }

  /** @throws {ProviderFailure} when the results do not match the protocol's schema, or take too long to read */
  async run<Task extends keyof ShapingTasks>(
    task: Task,
    input: ShapingTasks[Task]["input"],
    signal?: AbortSignal,
  ): Promise<ShapingTasks[Task]["output"]> {
    if (isShort(input)) return shapingTasks[task](input);
    try {
      return await this.#thread.run(task, input, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ProviderFailure("The provider's answer cannot be read.", { cause });
    }
  }

  release(): Promise<void> {
    return this.#thread.release();
  }
}

/** Whether the texts are short together, each value counting as well; stops counting once they are not. */
function isShort(input: unknown): boolean {
  let left = atOnceCharacters;
  const waiting: unknown[] = [input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    const inside = typeof value === "object" && value !== null ? Object.values(value) : [];
    left -= typeof value === "string" ? value.length : 1 + inside.length;
    if (left < 0) return false;
    waiting.push(...inside);
  }
  return true;
}

/** @throws {ProviderFailure} when the answer does not match the protocol's schema */
function understand<S extends z.ZodType>(schema: S, results: unknown): z.output<S> {
  const parsed = schema.safeParse(results);
  if (!parsed.success)
    throw new ProviderFailure("The provider's answer has an unexpected format.", { cause: parsed.error });
  return parsed.data;
}
