import type { ReaderPool } from "./reader-pool.js";
import type { LogState } from "./sqlite-engine.js";

/** Pages (of 4 kB) in the log before a thread writes them to the database. */
const duePages = 4_000;
/**
 * Where commits come faster than the thread, one of them writes to the database itself from here on, so that the log
 * does not grow without end.
 */
export const mostLogPages = 16_000;
/** How long none begins after one that failed, on a full disk for example. */
const restMs = 5_000;

/**
 * Writes the logs of open databases to their files, on a thread: by the commit that happens to fill the log, it would
 * keep the event loop for 20 to 50 ms.
 */
export class Checkpoints {
  readonly #pool: ReaderPool;
  readonly #running = new Map<string, Promise<void>>();
  #failedMs = -Infinity;

  constructor(pool: ReaderPool) {
    this.#pool = pool;
  }

  /** Begins one if it is due. It never waits for a thread, since closing the database waits for it. */
  afterWriting(path: string, { missing }: LogState): void {
    if (this.#running.has(path) || performance.now() - this.#failedMs < restMs) return;
    if (missing < duePages || !this.#pool.isFree) return;
    const running = this.#pool
      .checkpoint(path)
      // The log keeps what was committed; a write tells of the disk's trouble.
      .catch(() => (this.#failedMs = performance.now()))
      .then(() => void this.#running.delete(path));
    this.#running.set(path, running);
  }

  /** Resolves when no thread has the file open for one. */
  async ended(path: string): Promise<void> {
    await this.#running.get(path);
  }
}
