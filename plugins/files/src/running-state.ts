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

/** A state that tells clients of its changes, a few times a second at most. */
export class Progress {
  #state: RunningState = idle;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly announce: () => void,
    private readonly quietMs = 250,
  ) {}

  get state(): RunningState {
    return this.#state;
  }

  begin(message: string): void {
    this.#state = { running: true, done: 0, total: 0, message, startedAt: new Date().toISOString() };
    this.#tellNow();
  }

  advance(change: Partial<Pick<RunningState, "done" | "total" | "message">>): void {
    this.#state = { ...this.#state, ...change };
    this.#timer ??= setTimeout(() => this.#tellNow(), this.quietMs);
  }

  end(result: { message?: string | undefined; error?: string | undefined }): void {
    const { done, total, startedAt } = this.#state;
    this.#state = { running: false, done, total, startedAt, ...result };
    this.#tellNow();
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #tellNow(): void {
    this.release();
    this.announce();
  }
}
