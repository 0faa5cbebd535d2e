import { ProviderFailure } from "../upstream-errors.js";

export interface BreakerLimits {
  /** Failures in a row that open it. */
  readonly failures: number;
  readonly openMs: number;
}

/** A circuit breaker: a provider that keeps failing is left alone for a while, then tried with one question. */
export class Breaker {
  readonly #limits: BreakerLimits;
  #failures = 0;
  #openUntil = 0;

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
  }

  /** @throws {ProviderFailure} at once while it is open */
  check(): void {
    const leftMs = this.#openUntil - Date.now();
    if (leftMs > 0) throw new ProviderFailure("The provider keeps failing and is left alone for a while.", { retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = 0;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= this.#limits.failures) this.#openUntil = Date.now() + this.#limits.openMs;
  }

  /** Another address or key: what was learnt does not hold any more. */
  reset(): void {
    this.succeeded();
  }
}
