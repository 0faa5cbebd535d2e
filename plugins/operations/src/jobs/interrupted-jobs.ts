import type { Releasable } from "@longbox/sdk";
import type { JobRecords, UnfinishedJob } from "./job-records.js";
import type { Continuation, Resuming } from "./resuming.js";

/** Jobs that were cut off and can go on: each waits for the plugin that knows how. */
export class InterruptedJobs implements Releasable {
  readonly #waiting = new Map<number, UnfinishedJob>();
  readonly #listening: Releasable;

  constructor(
    private readonly records: JobRecords,
    private readonly resuming: Resuming,
    private readonly resume: (job: UnfinishedJob, continuation: Continuation) => void,
  ) {
    this.#listening = resuming.onChange(() => this.#offer());
  }

  /** Settles what a restart cut off: what cannot go on is marked failed. */
  async settle(): Promise<void> {
    await this.records.noteKills();
    for (const job of await this.records.listUnfinished()) {
      const error = reasonToGiveUp(job);
      if (error === undefined) await this.#wait(job);
      else await this.records.end(job.id, { ...job, state: "failed", error });
    }
    this.#offer();
  }

  /** Takes in a job whose plugin stopped in the middle of it. */
  async add(jobId: number): Promise<void> {
    const job = (await this.records.listUnfinished()).find((unfinished) => unfinished.id === jobId);
    if (job) await this.#wait(job);
    this.#offer();
  }

  idOf(key: string): number | undefined {
    for (const job of this.#waiting.values()) if (job.key === key) return job.id;
    return undefined;
  }

  /** Gives up a job that waits; false when it does not. */
  async cancel(jobId: number): Promise<boolean> {
    const job = this.#waiting.get(jobId);
    if (!job || !this.#waiting.delete(jobId)) return false;
    await this.records.end(jobId, { ...job, state: "cancelled", error: "It was cancelled." });
    return true;
  }

  async release(): Promise<void> {
    await this.#listening.release();
  }

  async #wait(job: UnfinishedJob): Promise<void> {
    await this.records.requeue(job.id);
    this.#waiting.set(job.id, job);
  }

  #offer(): void {
    for (const job of this.#waiting.values()) {
      const continuation = this.resuming.find(job.kind);
      if (continuation && this.#waiting.delete(job.id)) this.resume(job, continuation);
    }
  }
}

/** A job may be what ends the server: without a limit, each start would run into it again. */
const mostKills = 2;

function reasonToGiveUp({ input, kills }: UnfinishedJob): string | undefined {
  if (input === undefined) return "Longbox stopped before the job finished.";
  return kills < mostKills
    ? undefined
    : `Longbox ended unexpectedly ${kills} times while it ran, without getting further. It can be started again.`;
}
