import type { Job, JobsContract, JobWork } from "@longbox/operations/contract";

export interface Errand {
  readonly kind: string;
  readonly title: string;
  /** Only one errand of a key is under way at a time. */
  readonly key: string;
  /** JSON that is enough to begin again after a restart. */
  readonly input: unknown;
}

/** What became of a task while the request waited for it. */
export interface Begun {
  readonly jobId: number;
  /** The job, if it ended in time. */
  readonly ended: Job | undefined;
}

/** Most of them wait for the provider, whose own limits hold. */
const atOnce = 8;

/** Runs long work as jobs, and lets a person wait for it for a while. */
export class Background {
  readonly #jobs: JobsContract;
  readonly #signal: AbortSignal;

  constructor(jobs: JobsContract, signal: AbortSignal) {
    this.#jobs = jobs;
    this.#signal = signal;
  }

  /**
   * Begins work and waits for its end, for this long at most.
   * @throws {Conflict} `operations/job-running` while an errand of the same key is under way
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
