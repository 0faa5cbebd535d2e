import type { Logger } from "@longbox/sdk";

/** How many faults within how long are too many. */
export interface FaultLimit {
  readonly count: number;
  readonly withinMs: number;
}

interface Record {
  total: number;
  recent: number[];
}

/** Counts what goes wrong in each plugin, and says when it is too much. */
export class FaultBudget {
  readonly #records = new Map<string, Record>();
  readonly #limit: FaultLimit;
  readonly #now: () => number;

  constructor(limit: FaultLimit, now: () => number = Date.now) {
    this.#limit = limit;
    this.#now = now;
  }

  /** @returns whether the budget is used up */
  add(plugin: string): boolean {
    const record = this.#records.get(plugin) ?? { total: 0, recent: [] };
    this.#records.set(plugin, record);
    const now = this.#now();
    record.total += 1;
    record.recent = [...record.recent.filter((at) => at > now - this.#limit.withinMs), now];
    return record.recent.length >= this.#limit.count;
  }

  count(plugin: string): number {
    return this.#records.get(plugin)?.total ?? 0;
  }

  /** Somebody has looked at it: counting starts anew. */
  forgive(plugin: string): void {
    const record = this.#records.get(plugin);
    if (record) record.recent = [];
  }

  forget(plugin: string): void {
    this.#records.delete(plugin);
  }
}

/** Writes a fault where an admin finds it, with its stack and what lies behind it. */
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
