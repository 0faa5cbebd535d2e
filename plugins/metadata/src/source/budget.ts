import PQueue from "p-queue";
import { BudgetSpent } from "../upstream-errors.js";
import type { Urgency } from "../contract.js";

export interface BudgetLimits {
  /** For each kind of thing asked for. */
  readonly perHour: number;
  readonly spacingMs: number;
}

const hourMs = 3_600_000;
/** Background work leaves this share of an hour's questions to people. */
const leftToPeople = 0.2;

/** One host's request budget: one question at a time, spaced, counted by the hour, people first. */
export class Budget {
  readonly #limits: () => BudgetLimits;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #asked = new Map<string, number[]>();
  #lastAt = 0;

  constructor(limits: () => BudgetLimits) {
    this.#limits = limits;
  }

  /** @throws {BudgetSpent} when the hour's questions of this kind are used up */
  async spend<T>(kind: string, urgency: Urgency, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#refuseBeyond(kind, urgency);
    const work = async () => {
      this.#refuseBeyond(kind, urgency);
      await pause(this.#lastAt + this.#limits().spacingMs - Date.now(), signal);
      this.#lastAt = Date.now();
      this.#of(kind).push(this.#lastAt);
      return await ask();
    };
    return (await this.#queue.add(work, { priority: urgency === "person" ? 1 : 0, ...(signal ? { signal } : {}) })) as T;
  }

  #refuseBeyond(kind: string, urgency: Urgency): void {
    const asked = this.#of(kind);
    const { perHour } = this.#limits();
    const allowed = urgency === "person" ? perHour : Math.max(1, Math.floor(perHour * (1 - leftToPeople)));
    if (asked.length < allowed) return;
    throw new BudgetSpent(Math.max(1, Math.ceil(((asked[asked.length - allowed] as number) + hourMs - Date.now()) / 1000)));
  }

  /** When this kind was asked for in the last hour, oldest first. */
  #of(kind: string): number[] {
    const since = Date.now() - hourMs;
    const asked = (this.#asked.get(kind) ?? []).filter((at) => at > since);
    this.#asked.set(kind, asked);
    return asked;
  }
}

/** Waits, unless the signal aborts first, which is thrown. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    const stop = () => (clearTimeout(timer), reject(signal?.reason));
    signal?.addEventListener("abort", stop, { once: true });
    function done() {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
  });
}
