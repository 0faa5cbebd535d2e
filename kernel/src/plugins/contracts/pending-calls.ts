import type { Releasable } from "@longbox/sdk";

/** Calls that are under way and can all be refused at once, so that none hangs when the other side goes away. */
export class PendingCalls {
  readonly #refusals = new Set<(reason: unknown) => void>();
  readonly #waiting: (() => void)[] = [];

  /** Settles as the work does, or is refused before that. Holds nothing once settled. */
  track<T>(work: () => T | Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#refusals.add(reject);
    void this.#run(work, resolve, reject);
    return promise;
  }

  async #run<T>(
    work: () => T | Promise<T>,
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
  ): Promise<void> {
    try {
      // What calls goes on first, even where the work is done at once.
      await Promise.resolve();
      resolve(await work());
    } catch (thrown) {
      reject(thrown);
    }
    this.#refusals.delete(reject);
    if (this.#refusals.size === 0) for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Settles once no call is under way, or after the limit. */
  ended(limitMs: number): Promise<void> {
    if (this.#refusals.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  refuseAll(reason: unknown): void {
    const refusals = [...this.#refusals];
    this.#refusals.clear();
    for (const refuse of refusals) refuse(reason);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** Something that others call. Released, it refuses the calls that are still under way. */
export interface Callable extends Releasable {
  /** Settles once no call is under way, or after the limit. */
  ended(limitMs: number): Promise<void>;
}
