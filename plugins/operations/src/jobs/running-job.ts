import { isLongboxError } from "@longbox/sdk";
import type { Job, JobControl, JobWork } from "../contract.js";
import type { JobRecords } from "./job-records.js";

/**
 * Progress is written down at most this often; a crash loses no more than that of the counters, and none of the work.
 */
const writeEveryMs = 1_000;
/** Work of a plugin that has stopped may finish what it has begun, such as an archive that is being written. */
const finishingMs = 60_000;

export interface RunningJobParts {
  readonly key: string | undefined;
  readonly work: JobWork;
  readonly records: JobRecords;
  readonly changed: () => void;
}

/** One job from the moment it is queued until it has ended. */
export class RunningJob implements JobControl {
  readonly ended: Promise<Job>;
  readonly #abort = new AbortController();
  #settle!: (job: Job) => void;
  #job: Job;
  #startedMs = 0;
  #writtenMs = 0;
  #writing: Promise<void> = Promise.resolve();
  #abandoned = false;
  /** Rejects when the work is left behind. */
  readonly #left = Promise.withResolvers<never>();

  readonly key: string | undefined;

  constructor(
    job: Job,
    private readonly parts: RunningJobParts,
  ) {
    this.#job = job;
    this.key = parts.key;
    this.ended = new Promise((settle) => (this.#settle = settle));
    this.#left.promise.catch(() => undefined);
  }

  get jobId(): number {
    return this.#job.id;
  }

  get kind(): string {
    return this.#job.kind;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The job as it is now, with an estimate. */
  get job(): Job {
    return { ...this.#job, estimateSeconds: this.#estimateSeconds() };
  }

  progress(done: number, total = this.#job.total, message = this.#job.message): void {
    if (this.#job.endedAt !== undefined) return;
    this.#job = { ...this.#job, done, total, message };
    const now = performance.now();
    if (now - this.#writtenMs < writeEveryMs) return;
    this.#writtenMs = now;
    this.#write(() => this.parts.records.progress(this.jobId, { done, total, message }));
    this.parts.changed();
  }

  async checkpoint(state: unknown): Promise<void> {
    if (this.#job.endedAt !== undefined) return;
    this.#write(() => this.parts.records.checkpoint(this.jobId, state));
    await this.#writing;
  }

  cancel(reason: string): void {
    this.#abort.abort(new Error(reason));
  }

  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** Stops the work and writes nothing more: its row stays as it is, so that it can be settled or resumed. */
  abandon(): void {
    this.#abandoned = true;
    this.cancel("It was interrupted.");
  }

  /**
   * Its plugin has stopped, so that it was cancelled or abandoned; work that goes on regardless is not waited for
   * without end.
   */
  leaveSoon(): void {
    setTimeout(() => this.#left.reject(this.signal.reason), finishingMs).unref();
  }

  /** Runs the work to its end and writes down what became of it. Never rejects. */
  async run(): Promise<void> {
    if (this.signal.aborted) return this.#end("cancelled", { error: reasonOf(this.signal) });
    this.#startedMs = performance.now();
    this.#job = { ...this.#job, state: "running", startedAt: new Date().toISOString() };
    try {
      await this.parts.records.start(this.jobId);
      this.parts.changed();
      // It may have been cancelled while that was written, and work that listens for it now would wait for ever.
      this.signal.throwIfAborted();
      const message = await Promise.race([this.parts.work(this), this.#left.promise]);
      await this.#end("done", typeof message === "string" ? { message } : {});
    } catch (thrown) {
      if (this.signal.aborted) await this.#end("cancelled", { error: reasonOf(this.signal) });
      else await this.#end("failed", faultOf(thrown));
    }
  }

  async #end(state: Job["state"], outcome: Outcome): Promise<void> {
    const done = state === "done" && this.#job.total > 0 ? this.#job.total : this.#job.done;
    this.#job = {
      ...this.#job,
      error: undefined,
      ...outcome,
      state,
      done,
      endedAt: new Date().toISOString(),
    };
    this.#write(() => this.parts.records.end(this.jobId, this.#job));
    await this.#writing;
    if (!this.#abandoned) this.parts.changed();
    this.#settle(this.job);
  }

  #write(write: () => Promise<void>): void {
    if (this.#abandoned) return;
    // One after the other. A write that fails leaves the row as it is, and the next start settles it.
    this.#writing = this.#writing.then(write).catch(() => undefined);
  }

  #estimateSeconds(): number | undefined {
    const { done, total, state } = this.#job;
    if (state !== "running" || done <= 0 || total <= done) return undefined;
    const elapsedSeconds = (performance.now() - this.#startedMs) / 1_000;
    return Math.ceil((elapsedSeconds / done) * (total - done));
  }
}

type Outcome = Partial<Pick<Job, "message" | "error" | "errorCode" | "errorDetails">>;

function faultOf(thrown: unknown): Outcome {
  const error = thrown instanceof Error ? thrown.message : String(thrown);
  return isLongboxError(thrown) ? { error, errorCode: thrown.code, errorDetails: thrown.details } : { error };
}

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : "It was cancelled.";
}
