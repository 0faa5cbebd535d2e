import type { Contributions, Releasable, Topic } from "@longbox/sdk";
import type { Job, JobHandle, JobOptions, JobsContract, JobWork } from "../contract.js";
import { JobEnded, JobRunning, NoSuchJob } from "../errors.js";
import { InterruptedJobs } from "./interrupted-jobs.js";
import { JobLanes } from "./job-lanes.js";
import type { JobRecords, UnfinishedJob } from "./job-records.js";
import { presenceOf } from "./presence.js";
import type { Continuation, Resuming } from "./resuming.js";
import { RunningJob } from "./running-job.js";

/** Ended jobs beyond this many are forgotten, oldest first. */
const keptJobs = 500;

/** Runs jobs, keeps what became of them, and takes up those that a restart cut off. */
export class Jobs implements JobsContract {
  readonly #live = new Map<number, RunningJob>();
  readonly #lanes = new JobLanes();
  readonly #starting = new Set<string>();
  /** What is being written about jobs that have ended. */
  readonly #settling = new Set<Promise<void>>();
  #interrupted: InterruptedJobs | undefined;
  #stopped = false;

  constructor(
    private readonly records: JobRecords,
    private readonly changed: () => void,
    private readonly endedJobs: Topic<Job>,
  ) {}

  async run(kind: string, title: string, work: JobWork, options: JobOptions = {}): Promise<JobHandle> {
    const { key } = options;
    this.#refuseSecond(key, title);
    if (key !== undefined) this.#starting.add(key);
    try {
      const job = await this.records.add({ kind, key, title, input: options.input });
      const parts = { key, work, records: this.records, changed: this.#changing(options.onChange) };
      return this.#begin(new RunningJob(job, parts), options);
    } finally {
      if (key !== undefined) this.#starting.delete(key);
    }
  }

  /** Runs what another plugin offers; the job stops when the offer is withdrawn. */
  async runOffered<T extends object>(
    offered: Contributions<T>,
    offer: T,
    order: { kind: string; title: string; work: JobWork; input?: unknown },
  ): Promise<JobHandle> {
    const presence = presenceOf(offered, offer);
    try {
      const handle = await this.run(order.kind, order.title, order.work, {
        key: order.kind,
        signal: presence.signal,
        input: order.input,
      });
      void handle.ended.finally(() => presence.release());
      return handle;
    } catch (refusal) {
      await presence.release();
      throw refusal;
    }
  }

  async find(jobId: number): Promise<Job | undefined> {
    return this.#live.get(jobId)?.job ?? (await this.records.find(jobId));
  }

  async findLatest(kinds: readonly string[]): Promise<Job | undefined> {
    const job = await this.records.findLatest(kinds);
    return job && (this.#live.get(job.id)?.job ?? job);
  }

  async list(range: { limit: number; offset: number }): Promise<{ jobs: Job[]; total: number }> {
    const { jobs, total } = await this.records.list(range);
    return { jobs: jobs.map((job) => this.#live.get(job.id)?.job ?? job), total };
  }

  async cancel(jobId: number): Promise<Job> {
    const running = this.#live.get(jobId);
    if (!running) return this.#cancelWaiting(jobId);
    // It has ended for all who look at it, while that is still being written.
    if (running.job.endedAt !== undefined) throw new JobEnded(jobId);
    running.cancel("It was cancelled.");
    if (this.#lanes.leave(running)) await running.run();
    return running.job;
  }

  async #cancelWaiting(jobId: number): Promise<Job> {
    const cancelled = await this.#interrupted?.cancel(jobId);
    const job = await this.records.find(jobId);
    if (!job) throw new NoSuchJob(jobId);
    if (!cancelled) throw new JobEnded(jobId);
    this.changed();
    return job;
  }

  async clear(): Promise<number> {
    const cleared = await this.records.clearEnded();
    this.changed();
    return cleared;
  }

  onJobEnded(listener: (job: Job) => void): Releasable {
    return this.endedJobs.subscribe(listener);
  }

  /** Whether a job of this key is queued or running. */
  isBusy(key: string): boolean {
    return this.#starting.has(key) || this.#underWay(key) !== undefined;
  }

  /**
   * Settles what a restart cut off: kinds that can resume go on, and wait for their plugin if need be; the others are
   * marked failed.
   */
  async settleInterrupted(resuming: Resuming): Promise<Releasable> {
    this.#interrupted = new InterruptedJobs(this.records, resuming, (job, continuation) =>
      this.#resume(job, continuation),
    );
    await this.#interrupted.settle();
    this.changed();
    return this.#interrupted;
  }

  /** Ends everything that runs. What can be resumed waits for the next start, which settles the others. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const job of this.#live.values()) job.abandon();
    await Promise.all(this.#settling);
    await this.records.requeueResumable();
  }

  #resume({ key, input, checkpoint, kills: _, ...job }: UnfinishedJob, continuation: Continuation): void {
    // An input that is of another version fails the job, not the server.
    const work: JobWork = async (control) => continuation.work({ input, checkpoint })(control);
    const changed = this.#changing(continuation.onChange);
    const handle = this.#begin(new RunningJob(job, { key, work, records: this.records, changed }), {
      signal: continuation.signal,
      input,
    });
    void handle.ended.finally(() => continuation.release());
  }

  #changing(onChange: (() => void) | undefined): () => void {
    return () => {
      this.changed();
      onChange?.();
    };
  }

  #begin(running: RunningJob, options: JobOptions): JobHandle {
    this.#live.set(running.jobId, running);
    const stop = () => this.#stopWithPlugin(running, options.input !== undefined);
    options.signal?.addEventListener("abort", stop, { once: true });
    const ended = running.ended.then(async (job) => {
      options.signal?.removeEventListener("abort", stop);
      this.#live.delete(job.id);
      if (!this.#stopped) await this.#settled(running, job, options.keepNewest);
      return job;
    });
    if (options.signal?.aborted) stop();
    this.changed();
    this.#lanes.enter(running, options.concurrency ?? 1);
    return { id: running.jobId, ended };
  }

  /** What can go on later keeps its place: its plugin may only be upgraded, or the server be on its way down. */
  #stopWithPlugin(running: RunningJob, resumable: boolean): void {
    if (resumable) running.abandon();
    else running.cancel("The plugin that asked for it stopped.");
    running.leaveSoon();
  }

  async #settled(running: RunningJob, job: Job, keepNewest?: number): Promise<void> {
    const settling = this.#settle(running, job, keepNewest);
    this.#settling.add(settling);
    await settling.finally(() => this.#settling.delete(settling));
  }

  async #settle(running: RunningJob, job: Job, keepNewest?: number): Promise<void> {
    if (running.abandoned) {
      await this.#interrupted?.add(job.id);
      return this.changed();
    }
    this.endedJobs.publish(job);
    if (keepNewest !== undefined) await this.records.keepNewest(keepNewest, job.kind);
    await this.records.keepNewest(keptJobs);
  }

  #refuseSecond(key: string | undefined, title: string): void {
    if (key === undefined) return;
    const other = this.#underWay(key);
    if (other !== undefined || this.#starting.has(key)) throw new JobRunning(title, other ?? 0);
  }

  /** The id of the job of this key that runs or waits. */
  #underWay(key: string): number | undefined {
    for (const job of this.#live.values()) if (job.key === key) return job.jobId;
    return this.#interrupted?.idOf(key);
  }
}
