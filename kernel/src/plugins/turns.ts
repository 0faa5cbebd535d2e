import { LongboxError, within } from "@longbox/sdk";
import { injectable } from "../injection.js";

/** Runs pieces of work one after the other, in the order of the calls. */
@injectable()
export class Turns {
  readonly #waiting: (() => void)[] = [];
  readonly #quiet: (() => void)[] = [];
  #isTaken = false;
  #underWay = 0;

  async take<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    await this.#acquire("last");
    try {
      return await work();
    } finally {
      this.#release();
      this.#end();
    }
  }

  /**
   * Lets others have their turns while one waits for something that may take long. Afterwards it is its turn again,
   * before all who wait; what it knew of the plugins may have changed by then. Only for work that has a turn.
   */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.#release();
    try {
      return await work();
    } finally {
      await this.#acquire("first");
    }
  }

  /**
   * The same as `take`, with a limit for waiting. After it, or when the signal aborts, the work is not done at all.
   * @throws {LongboxError} `kernel/plugins-busy`
   */
  async takeWithin<T>(
    limit: { readonly ms: number; readonly signal?: AbortSignal },
    work: () => Promise<T>,
  ): Promise<T> {
    const begun = Promise.withResolvers<void>();
    let isGivenUp = false;
    const turn = this.take(async () => {
      begun.resolve();
      if (!isGivenUp) return { result: await work() };
      return undefined;
    });
    // A turn that comes too late fails for no caller: the caller has got `busy`.
    turn.catch(() => undefined);
    const { ms: limitMs, signal } = limit;
    await within(begun.promise, { limitMs, failure: busy, ...(signal && { signal }) }).catch((fault: unknown) => {
      isGivenUp = true;
      throw fault;
    });
    return (await turn)!.result;
  }

  /** Settles after all work that has been requested so far. */
  quiet(): Promise<void> {
    return this.#underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#quiet.push(resolve));
  }

  #acquire(place: "first" | "last"): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve();
    }
    return new Promise((resolve) => (place === "first" ? this.#waiting.unshift(resolve) : this.#waiting.push(resolve)));
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }

  #end(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) for (const resolve of this.#quiet.splice(0)) resolve();
  }
}

/** What was asked for takes too long to begin. */
export function busy(): LongboxError {
  return new LongboxError(
    "unavailable",
    "kernel/plugins-busy",
    "Another change of the plugins takes long; nothing was done. Try again.",
    undefined,
    { retryAfterSeconds: 10 },
  );
}
