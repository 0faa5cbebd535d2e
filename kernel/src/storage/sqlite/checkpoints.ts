import type { Logger } from "@longbox/sdk";
import { StorageClosed } from "../storage-closed.js";
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
const restMs = 60_000;

/**
 * Writes the logs of open databases to their files, on a thread: by the commit that happens to fill the log, it would
 * keep the event loop for 20 to 50 ms.
 */
export class Checkpoints {
  readonly #pool: ReaderPool;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<void>>();
  #failedMs = -Infinity;

  constructor(pool: ReaderPool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Begins one if it is due. It never waits for a thread, since closing the database waits for it. */
  afterWriting(path: string, { missing }: LogState): void {
    if (this.#running.has(path) || performance.now() - this.#failedMs < restMs) return;
    if (missing < duePages || !this.#pool.isFree) return;
    const running = this.#pool
      .checkpoint(path)
      .catch((fault: unknown) => this.#rest(path, fault))
      .then(() => void this.#running.delete(path));
    this.#running.set(path, running);
  }

  /** Nothing is lost: the log keeps what was committed. */
  #rest(path: string, fault: unknown): void {
    this.#failedMs = performance.now();
    if (fault instanceof StorageClosed) return;
    this.#log.warn("The log of a database could not be written to it; it grows until that is possible", {
      path,
      fault: String(fault),
    });
  }

  /** Resolves when no thread has the file open for one. */
  async ended(path: string): Promise<void> {
    await this.#running.get(path);
  }
}
