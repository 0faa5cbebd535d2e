import type { KernelUsers, Viewer } from "@longbox/sdk";
import type { JobControl, JobsContract, ResumableJob } from "@longbox/operations/contract";
import { z } from "zod";
import type { Tagging } from "./tagging.js";

const kind = "comics.tag";
/** The job, and the tool that does the same for every series. */
const kinds = [kind, "tool.tag-untagged"];
const inputSchema = z.object({ seriesId: z.number().int(), userId: z.number().int() });

export const tagStateSchema = z.object({
  running: z.boolean(),
  done: z.number().int(),
  total: z.number().int(),
  message: z.string().optional(),
  error: z.string().optional(),
  startedAt: z.string().optional(),
});
export type TagState = z.output<typeof tagStateSchema>;

export interface TagJobsParts {
  readonly tagging: Tagging;
  readonly jobs: JobsContract;
  readonly users: Pick<KernelUsers, "viewerOf">;
  readonly announce: () => void;
  readonly signal: AbortSignal;
}

/** Writing tags as jobs, one series after the other. */
export class TagJobs {
  constructor(private readonly parts: TagJobsParts) {}

  /** Begins at once or after those that were asked for before. @throws {NotFound} `comics/series-not-found` */
  async start(seriesId: number, viewer: Viewer): Promise<{ files: number }> {
    const { tagging, jobs, signal, announce } = this.parts;
    const files = await tagging.countFiles(seriesId, viewer);
    const input = { seriesId, userId: viewer.user.id };
    const work = (control: JobControl) => this.#tag(seriesId, viewer, control);
    await jobs.run(kind, "Write the tags of a series", work, { input, signal, onChange: announce });
    return { files };
  }

  /**
   * What a restart cut off is done again from the beginning, as far as the user may still do it: tags can be written
   * twice.
   */
  resumable(): ResumableJob {
    return {
      kind,
      onChange: this.parts.announce,
      resume: async ({ input }, control) => {
        const { seriesId, userId } = inputSchema.parse(input);
        const viewer = await this.parts.users.viewerOf(userId);
        if (!viewer?.may("library.manage")) throw new Error("The user who began this may not write tags any more.");
        return this.#tag(seriesId, viewer, control);
      },
    };
  }

  /** Messages name files, of which some may be hidden from the viewer. */
  async state(viewer: Viewer): Promise<TagState> {
    const job = await this.parts.jobs.findLatest(kinds);
    if (!job) return { running: false, done: 0, total: 0 };
    const { done, total, message, error, startedAt } = job;
    const running = job.state === "running" || job.state === "queued";
    const open = { running, done, total, ...(startedAt !== undefined && { startedAt }) };
    if (!viewer.may("library.manage") || !viewer.seesRestricted) return open;
    return { ...open, ...(message !== undefined && { message }), ...(error !== undefined && { error }) };
  }

  async #tag(seriesId: number, viewer: Viewer, control: JobControl): Promise<string> {
    const { written, errors } = await this.parts.tagging.tagSeries(seriesId, viewer, {
      signal: control.signal,
      progress: (done, total) => control.progress(done, total),
    });
    control.signal.throwIfAborted();
    const message = `${written} written, ${errors.length} not`;
    control.progress(written + errors.length, written + errors.length, message);
    if (errors[0] !== undefined) throw new Error(errors[0]);
    return message;
  }
}
