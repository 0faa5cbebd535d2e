import { contract, extensionPoint, type Releasable } from "@longbox/sdk";

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

/** One piece of long work, as clients see it. Times are ISO 8601 in UTC. */
export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly title: string;
  readonly state: JobState;
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
  readonly message: string | undefined;
  /** Seconds until the end at the pace so far. */
  readonly estimateSeconds: number | undefined;
  /** Why it failed or was cancelled. */
  readonly error: string | undefined;
  /** The code of the error, and its details, where it failed with a `LongboxError`. */
  readonly errorCode?: string | undefined;
  readonly errorDetails?: unknown;
  readonly queuedAt: string;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
}

/** The object with which a job reports progress and is cancelled. */
export interface JobControl {
  readonly jobId: number;
  /** Aborts when the job is cancelled, or when the plugin that started it stops. */
  readonly signal: AbortSignal;
  /** Reports progress. Cheap enough to be called for each of many thousand items. */
  progress(done: number, total?: number, message?: string): void;
  /** Stores the state that is needed to resume after a restart; passed to {@link ResumableJob.resume}. */
  checkpoint(state: unknown): Promise<void>;
}

/** The work of a job. The value that it resolves with, if any, is the job's final message. */
export type JobWork = (control: JobControl) => Promise<string | void>;

export interface JobOptions {
  /** The plugin's `context.signal`: the job stops with the plugin. */
  readonly signal?: AbortSignal;
  /** Only one job of a key is queued or running at a time; a second one is refused with 409. */
  readonly key?: string;
  /** How many jobs of this kind run at once. Default 1. */
  readonly concurrency?: number;
  /**
   * JSON that the job's kind needs to start again after a restart. Only kinds contributed to {@link ResumableJobs}
   * resume.
   */
  readonly input?: unknown;
  /**
   * How many ended jobs of this kind are remembered, for small work that is frequent. Default: as many as of all kinds
   * together.
   */
  readonly keepNewest?: number;
  /**
   * Called when the job begins, once a second at most while it goes on, and when it has ended: for an event of the
   * plugin's own.
   */
  readonly onChange?: () => void;
}

export interface JobHandle {
  readonly id: number;
  /** Resolves when the job has ended in any state; never rejects. */
  readonly ended: Promise<Job>;
}

/** Jobs with progress, cancellation and a history. */
export interface JobsContract {
  /**
   * Queues work and returns at once.
   * @param kind - Groups jobs for concurrency, such as `files.scan`.
   * @param title - A title for users, such as `Scan Comics`.
   * @throws {Conflict} `operations/job-running` when a job of the same key is queued or running; `details.jobId` names
   *   it
   */
  run(kind: string, title: string, work: JobWork, options?: JobOptions): Promise<JobHandle>;
  find(jobId: number): Promise<Job | undefined>;
  /** The job of these kinds that is running, else that waits, else the newest that has ended and is remembered. */
  findLatest(kinds: readonly string[]): Promise<Job | undefined>;
  /** Asks a job to stop. Resolves with the job as it is then. @throws {NotFound} `operations/no-such-job` */
  cancel(jobId: number): Promise<Job>;
  onJobEnded(listener: (job: Job) => void): Releasable;
}

export const Jobs = contract<JobsContract>("operations.jobs", "1.1.0");

/** A kind of job that can go on after a restart. */
export interface ResumableJob {
  readonly kind: string;
  /** Does the rest of the work. `checkpoint` is what the job kept last, undefined when it kept nothing. */
  resume(start: { readonly input: unknown; readonly checkpoint: unknown }, control: JobControl): Promise<string | void>;
  /** See {@link JobOptions.onChange}. */
  onChange?(): void;
}
export const ResumableJobs = extensionPoint<ResumableJob>("resumableJobs", "1.0.0");

/** Work that is done by the clock. A person may change when, or switch it off. */
export interface Schedule {
  /** Stable and unique, such as `files.scan`. */
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** A cron pattern of five fields, in the server's time zone. */
  readonly cron: string;
  /** Whether it runs before anybody has said so. */
  readonly enabled: boolean;
  /** A run that a restart cut off is run again: for work that finds by itself what is left. Otherwise it has failed. */
  readonly resumes?: boolean;
  run(control: JobControl): Promise<string | void>;
}
export const Schedules = extensionPoint<Schedule>("schedules", "1.0.0");

/** Maintenance that a person starts by hand. */
export interface Tool {
  /** Lower-case words joined by hyphens, such as `remove-ghosts`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The tool touches files, so it can be asked what it would do: `dryRun`. */
  readonly touchesFiles: boolean;
  /** A run that a restart cut off is run again: for work that finds by itself what is left. Otherwise it has failed. */
  readonly resumes?: boolean;
  run(order: { readonly dryRun: boolean }, control: JobControl): Promise<string | void>;
}
export const Tools = extensionPoint<Tool>("tools", "1.0.0");

/** Something that can be wrong with the server, and what to do about it. */
export interface HealthFinding {
  readonly id: string;
  readonly title: string;
  readonly level: "ok" | "warning" | "error";
  /** One sentence: what is so, and what to do. */
  readonly advice: string;
  /** Where in the web interface it is put right. */
  readonly link?: { readonly label: string; readonly path: string };
}
/** Finds problems of the server, which the admin page shows with a remedy for each. */
export interface HealthCheck {
  check(): Promise<readonly HealthFinding[]>;
}
/** Finds what is wrong with the server or a plugin, for the page of its health. */
export const HealthChecks = extensionPoint<HealthCheck>("healthChecks", "1.0.0");

/** A part of the support package: one JSON document, without secrets. */
export interface SupportPart {
  /** The file's name in the package, without `.json`. */
  readonly name: string;
  /** Only in packages that an admin makes. */
  readonly full: boolean;
  read(): Promise<unknown>;
}
export const SupportParts = extensionPoint<SupportPart>("supportParts", "1.0.0");
