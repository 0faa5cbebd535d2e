import { LongboxError } from "@longbox/sdk";

interface Waiting {
  readonly limitMs: number;
  /** When it gives up, by the clock of `performance`. */
  readonly until: number;
  enter(): void;
  giveUp(busy: LongboxError): void;
}

/** Lets one through at a time, in the order of arrival. */
export class Turnstile {
  readonly #waitLimitMs: number;
  #waiting: Waiting[] = [];
  #taken = false;
  /** One for all that wait: a timer for each would take longer to make than most of them wait. */
  #limit: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;

  /** @param waitLimitMs - A transaction that asks its own database from outside itself would wait for ever; this ends it. */
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

  #turn(limitMs: number): Promise<void> {
    return new Promise((enter, giveUp) => {
      const until = performance.now() + limitMs;
      this.#waiting.push({ limitMs, until, enter, giveUp });
      if (this.#limit === undefined || until < this.#limit.at) this.#limitAt(until);
    });
  }

  #limitAt(at: number): void {
    clearTimeout(this.#limit?.timer);
    const timer = setTimeout(() => this.#giveUpLate(), Math.max(1, Math.ceil(at - performance.now()))).unref();
    this.#limit = { at, timer };
  }

  #giveUpLate(): void {
    const now = performance.now();
    const late = this.#waiting.filter(({ until }) => until <= now);
    this.#waiting = this.#waiting.filter(({ until }) => until > now);
    this.#limit = undefined;
    if (this.#waiting.length > 0) this.#limitAt(Math.min(...this.#waiting.map(({ until }) => until)));
    for (const { limitMs, giveUp } of late)
      giveUp(
        new LongboxError(
          "unavailable",
          "kernel/database-busy",
          `The database was busy for ${limitMs / 1000} seconds. Inside a transaction, use only the transaction.`,
        ),
      );
  }

  #leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (this.#waiting.length === 0) this.#endLimit();
      // The turn is handed over while still taken, so that no later arrival can slip in between.
      if (next) next.enter();
      else this.#taken = false;
    };
  }

  #endLimit(): void {
    clearTimeout(this.#limit?.timer);
    this.#limit = undefined;
  }
}
