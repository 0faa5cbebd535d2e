import { LongboxError, within } from "@longbox/sdk";
import { injectable } from "../injection.js";

/** Runs pieces of work one after the other, in the order of the calls. */
@injectable()
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    // The caller gets the failure; the next turn only waits for the end.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * The same with a limit for waiting. After it, the work is not done at all.
   * @throws {LongboxError} `kernel/plugins-busy`
   */
  async takeWithin<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
    const begun = Promise.withResolvers<void>();
    let givenUp = false;
    const turn = this.take(async () => {
      begun.resolve();
      if (!givenUp) return { result: await work() };
      return undefined;
    });
    // A turn that comes too late fails for no caller: the caller has got `busy`.
    turn.catch(() => undefined);
    await within(begun.promise, { limitMs, failure: busy }).catch((fault: unknown) => {
      givenUp = true;
      throw fault;
    });
    return (await turn)!.result;
  }

  /** Settles after all work that has been requested so far. */
  async quiet(): Promise<void> {
    await this.#last;
  }
}

function busy(): LongboxError {
  return new LongboxError(
    "unavailable",
    "kernel/plugins-busy",
    "Another change of the plugins takes long; nothing was done. Try again.",
    undefined,
    { retryAfterSeconds: 10 },
  );
}
