import { isHostFailure, type HostState } from "@longbox/sdk";
import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from "cockatiel";
import { HostResting } from "./host-errors.js";

/** Failures in a row that let a host rest, and for how long. */
const failures = 5;
const restMs = 60_000;

interface Rest {
  readonly untilMs: number;
  readonly reason: string;
}

/**
 * Lets a host alone that keeps failing, or that asked for it. After a rest, one request tries whether it answers again.
 */
export class HostRest {
  readonly #host: string;
  #breaker = newBreaker();
  #rest: Rest | undefined;

  constructor(host: string) {
    this.#host = host;
  }

  get state(): HostState["resting"] {
    const rest = this.#present();
    return rest && { until: new Date(rest.untilMs).toISOString(), reason: rest.reason };
  }

  /** @throws {HostResting} */
  check(): void {
    const rest = this.#present();
    if (rest) throw new HostResting(this.#host, { reason: rest.reason, leftMs: rest.untilMs - Date.now() });
  }

  async guard<T>(ask: () => Promise<T>): Promise<T> {
    const breaker = this.#breaker;
    try {
      return await breaker.execute(ask);
    } catch (fault) {
      // Another request is trying whether the host answers again.
      if (fault instanceof BrokenCircuitError)
        throw new HostResting(this.#host, { reason: "it is being tried again after it failed.", leftMs: 1_000 });
      if (breaker === this.#breaker) this.#note(fault, breaker.state === CircuitState.Open);
      throw fault;
    }
  }

  forget(): void {
    this.#breaker = newBreaker();
    this.#rest = undefined;
  }

  #note(fault: unknown, opened: boolean): void {
    if (!isHostFailure(fault)) return;
    const askedMs = (fault.retryAfterSeconds ?? 0) * 1000;
    const untilMs = Date.now() + Math.max(askedMs, opened ? restMs : 0);
    if (untilMs > Math.max(Date.now(), this.#rest?.untilMs ?? 0)) this.#rest = { untilMs, reason: fault.message };
  }

  #present(): Rest | undefined {
    return this.#rest && this.#rest.untilMs > Date.now() ? this.#rest : undefined;
  }
}

const newBreaker = () =>
  circuitBreaker(handleWhen(isHostFailure), { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(failures) });
