import { LongboxError } from "@longbox/sdk";
import { ownTimeout } from "../../own-timers.js";

interface Waiting {
  readonly isAlone: boolean;
  go(): void;
}

/**
 * Lets many through together, or one alone, in the order of arrival: statements beside each other, but a transaction,
 * or a hold of the whole database, by itself. So a transaction on a database server sees what it would see on SQLite.
 */
export class WriteGate {
  readonly #waitLimitMs: number;
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #isTaken = false;

  constructor(waitLimitMs = 30_000) {
    this.#waitLimitMs = waitLimitMs;
  }

  /** Waits for a place beside others. Call what it resolves to, once. @throws {LongboxError} `kernel/database-busy` */
  enter(waitLimitMs?: number): Promise<() => void> {
    return this.#pass(false, waitLimitMs);
  }

  /** Waits until all others have left. Call what it resolves to, once. @throws {LongboxError} `kernel/database-busy` */
  enterAlone(waitLimitMs?: number): Promise<() => void> {
    return this.#pass(true, waitLimitMs);
  }

  async #pass(isAlone: boolean, waitLimitMs = this.#waitLimitMs): Promise<() => void> {
    if (this.#waiting.length > 0 || !this.#fits(isAlone)) await this.#turn(isAlone, waitLimitMs);
    else this.#count(isAlone);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#inside -= 1;
      if (isAlone) this.#isTaken = false;
      this.#letIn();
    };
  }

  #fits(isAlone: boolean): boolean {
    return !this.#isTaken && (!isAlone || this.#inside === 0);
  }

  #count(isAlone: boolean): void {
    this.#inside += 1;
    this.#isTaken = isAlone;
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.isAlone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#count(next.isAlone);
      next.go();
    }
  }

  #turn(isAlone: boolean, waitLimitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        isAlone,
        go() {
          clearTimeout(limit);
          resolve();
        },
      };
      const limit = ownTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#letIn();
        reject(
          new LongboxError(
            "unavailable",
            "kernel/database-busy",
            `The database was busy for ${waitLimitMs / 1000} seconds. Inside a transaction, use only the transaction.`,
          ),
        );
      }, waitLimitMs);
      limit.unref();
      this.#waiting.push(waiting);
    });
  }
}
