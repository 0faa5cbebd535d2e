import type { Job, JobsContract, JobWork } from "@longbox/operations/contract";

export interface Errand {
  readonly kind: string;
  readonly title: string;
  /** Only one task with the same key runs at a time. */
  readonly key: string;
  /** JSON from which the task can be resumed after a restart. */
  readonly input: unknown;
}

/** The state of a task after the request has waited for it. */
export interface Begun {
  readonly jobId: number;
  /** The job, if it ended in time. */
  readonly ended: Job | undefined;
}

/** How many tasks run at a time. Most wait for the provider, which is rate-limited by itself. */
const atOnce = 8;

/** Runs long work as jobs, and lets a request wait for the result for a limited time. */
export class Background {
  readonly #jobs: JobsContract;
  readonly #signal: AbortSignal;

  constructor(jobs: JobsContract, signal: AbortSignal) {
    this.#jobs = jobs;
    this.#signal = signal;
  }

  /**
   * Starts a task and waits for its end, up to this time.
   * @throws {Conflict} `operations/job-running` while a task with the same key is running
   */
  async run(errand: Errand, work: JobWork, patienceMs: number): Promise<Begun> {
    const handle = await this.#jobs.run(errand.kind, errand.title, work, {
      signal: this.#signal,
      key: errand.key,
      input: errand.input,
      concurrency: atOnce,
    });
    return { jobId: handle.id, ended: await settledWithin(handle.ended, patienceMs) };
  }
}

async function settledWithin<T>(promise: Promise<T>, patienceMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), patienceMs)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
