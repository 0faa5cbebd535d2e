import { Conflict, type Releasable } from "@longbox/sdk";

/** What the folders are used for; shown to users who have to wait. */
export type FolderWork =
  | "The library is being scanned"
  | "Files are being moved"
  | "Files are being imported"
  | "Files are being cleaned up"
  // A sentence of another plugin.
  | (string & {});

const scanning: FolderWork = "The library is being scanned";

/** Only one operation at a time reads or changes the folders: a scan must not see files that are being moved. */
export class FolderTurns implements Releasable {
  #holder: FolderWork | undefined;
  #free: Promise<void> = Promise.resolve();

  /**
   * Works once a scan that is running has ended, and refuses when something else has the folders.
   * @throws {Conflict} `files/busy`
   */
  async take<T>(work: FolderWork, perform: () => Promise<T>): Promise<T> {
    await this.#untilScanned();
    if (this.#holder !== undefined)
      throw new Conflict(
        "files/busy",
        `${this.#holder}. Try again in a moment.`,
        { doing: this.#holder },
        { retryAfterSeconds: 5 },
      );
    return this.#hold(work, perform);
  }

  /** Works as soon as the folders are free. */
  async wait<T>(work: FolderWork, perform: () => Promise<T>): Promise<T> {
    while (this.#holder !== undefined) await this.#free;
    return this.#hold(work, perform);
  }

  /** Waits until nothing has the folders: the next activation must not find them half-way. */
  async release(): Promise<void> {
    while (this.#holder !== undefined) await this.#free;
  }

  /** Waits for a scan to end, within limits: most take a moment, since only changed files are opened. */
  async #untilScanned(patienceMs = 10_000): Promise<void> {
    const until = performance.now() + patienceMs;
    while (this.#holder === scanning && performance.now() < until) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, until - performance.now());
      await Promise.race([this.#free, promise]).finally(() => clearTimeout(timer));
    }
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
