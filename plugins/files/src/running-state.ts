import type { Job } from "@longbox/operations/contract";

/** How far something has come that takes a while. */
export interface RunningState {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly message?: string | undefined;
  readonly error?: string | undefined;
  readonly startedAt?: string | undefined;
}

/** What a job is at, as the clients of this plugin see it. */
export function stateOfJob(job: Job | undefined): RunningState {
  if (!job) return idle;
  const { done, total, message, error, startedAt } = job;
  return { running: job.state === "running" || job.state === "queued", done, total, message, error, startedAt };
}

export const idle: RunningState = { running: false, done: 0, total: 0 };
