import { Conflict } from "@longbox/sdk";

/** What is done with the folders; others are told when they have to wait. */
export type FolderWork =
  | "The library is being scanned"
  | "Files are being moved"
  | "Files are being imported"
  | "Files are being cleaned up"
  // A sentence of another plugin.
  | (string & {});

const scanning: FolderWork = "The library is being scanned";

/** Whatever looks through the folders or changes them does so alone: a scan must not see files half-way. */
export class FolderTurns {
  #holder: FolderWork | undefined;
  #free: Promise<void> = Promise.resolve();

  /** Waits a moment for a scan to end: most take no longer, since only changed files are opened. */
  async untilFree(patienceMs = 5000): Promise<void> {
    const until = performance.now() + patienceMs;
    while (this.#holder === scanning && performance.now() < until) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, until - performance.now());
      await Promise.race([this.#free, promise]).finally(() => clearTimeout(timer));
    }
  }

  /** Works now, or refuses. @throws {Conflict} `files/busy` */
  take<T>(work: FolderWork, perform: () => Promise<T>): Promise<T> {
    if (this.#holder !== undefined)
      throw new Conflict(
        "files/busy",
        `${this.#holder}. Try again in a moment.`,
        { doing: this.#holder },
        { retryAfterSeconds: 5 },
      );
    return this.#hold(work, perform);
  }

  /** Works as soon as nobody else does. */
  async wait<T>(work: FolderWork, perform: () => Promise<T>): Promise<T> {
    while (this.#holder !== undefined) await this.#free;
    return this.#hold(work, perform);
  }

  async #hold<T>(work: FolderWork, perform: () => Promise<T>): Promise<T> {
    this.#holder = work;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#free = promise;
    try {
      return await perform();
    } finally {
      this.#holder = undefined;
      resolve();
    }
  }
}
