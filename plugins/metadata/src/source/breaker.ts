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
  #trouble: string | undefined;

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
  }

  /** @throws {ProviderFailure} at once while it is open */
  check(): void {
    const leftMs = this.#openUntil - Date.now();
    if (leftMs > 0) throw new ProviderFailure("The provider keeps failing and is left alone for a while.", { retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }

  /** What went wrong last, undefined once the provider answers again. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = 0;
    this.#trouble = undefined;
  }

  /** The provider answers, and does not want us: no reason to leave it alone, but one to tell. */
  refused(trouble: string): void {
    this.succeeded();
    this.#trouble = trouble;
  }

  failed(trouble: string): void {
    this.#trouble = trouble;
    this.#failures += 1;
    if (this.#failures >= this.#limits.failures) this.#openUntil = Date.now() + this.#limits.openMs;
  }

  /** Another address or key: what was learnt does not hold any more. */
  reset(): void {
    this.succeeded();
  }
}
