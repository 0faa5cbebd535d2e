import { LongboxError } from "@longbox/sdk";
import { ownTimeout } from "../own-timers.js";

/** Lets one through at a time, in the order of arrival. */
export class Turnstile {
  readonly #waitLimitMs: number;
  readonly #waiting: Array<() => void> = [];
  #taken = false;

  /**
   * @param waitLimitMs - A transaction that asks its own database from outside itself would wait for ever; this ends
   * it.
   */
  constructor(waitLimitMs = 30_000) {
    this.#waitLimitMs = waitLimitMs;
  }

  /**
   * Waits for its turn. Call what it resolves to, once, to let the next one through.
   * @throws {LongboxError} `kernel/database-busy` after the limit
   */
  async enter(waitLimitMs = this.#waitLimitMs): Promise<() => void> {
    if (this.#taken) await this.#turn(waitLimitMs);
    this.#taken = true;
    return this.#leaveOnce();
  }

  #turn(waitLimitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(limit);
        resolve();
      };
      const limit = ownTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(
          new LongboxError(
            "unavailable",
            "kernel/database-busy",
            `The database was busy for ${waitLimitMs / 1000} seconds. Inside a transaction, use only the transaction.`,
          ),
        );
      }, waitLimitMs);
      limit.unref();
      this.#waiting.push(go);
    });
  }

  #leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      // The turn is handed over while still taken, so that no later arrival can slip in between.
      if (next) next();
      else this.#taken = false;
    };
  }
}
