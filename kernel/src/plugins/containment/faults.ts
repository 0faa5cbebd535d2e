import type { Logger } from "@longbox/sdk";
import type { RequestCause } from "./request-cause.js";
import { RequestFaults } from "./request-faults.js";

/** @param where - in words, for the log: `a listener of "collection"` */
export type FaultReport = (plugin: string, fault: unknown, where: string) => void;

/** How many faults within how long are too many. */
export interface FaultLimit {
  readonly count: number;
  readonly withinMs: number;
}

interface Record {
  total: number;
  /** When the plugin failed by itself, in milliseconds. */
  recent: number[];
  readonly requests: RequestFaults;
}

/**
 * Counts the faults of each plugin, and reports when there are too many. Faults of the plugin's own count in full;
 * faults that requests cause count only when many different requesters fail with many different inputs.
 */
export class FaultBudget {
  readonly #records = new Map<string, Record>();
  readonly #limit: FaultLimit;
  readonly #now: () => number;

  constructor(limit: FaultLimit, now: () => number = Date.now) {
    this.#limit = limit;
    this.#now = now;
  }

  /**
   * @param causes - The request that caused the fault, or those of which one did; none when the plugin failed by itself
   * @returns whether the budget is used up
   */
  add(plugin: string, ...causes: readonly RequestCause[]): boolean {
    const { count, withinMs } = this.#limit;
    const record = this.#records.get(plugin) ?? { total: 0, recent: [], requests: new RequestFaults(count, withinMs) };
    this.#records.set(plugin, record);
    const now = this.#now();
    record.total += 1;
    if (causes.length > 0) return causes.map((cause) => record.requests.add(cause, now)).some(Boolean);
    record.recent = [...record.recent.filter((at) => at > now - withinMs), now];
    return record.recent.length >= count;
  }

  count(plugin: string): number {
    return this.#records.get(plugin)?.total ?? 0;
  }

  /** Called when an admin has reset the plugin: counting starts again. */
  forgive(plugin: string): void {
    const record = this.#records.get(plugin);
    if (!record) return;
    record.recent = [];
    record.requests.clear();
  }

  forget(plugin: string): void {
    this.#records.delete(plugin);
  }
}

/** Logs a fault with its stack and its causes. */
export function logFault(log: Logger, fault: unknown, where: string): void {
  const described =
    fault instanceof Error
      ? {
          message: fault.message,
          stack: fault.stack,
          ...(fault.cause === undefined ? {} : { cause: String(fault.cause) }),
        }
      : { message: String(fault) };
  log.error(`A fault in ${where}.`, { where, ...described });
}
