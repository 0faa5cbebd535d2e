import type { Releasable } from "./releasable.js";

/** The memory budget of all plugins for unpacking, rendering and buffering. */
export interface MemoryBudget {
  /** The whole budget in bytes. Depends on the machine and on the server's settings. */
  readonly limitBytes: number;
  /**
   * Reserves a part of the budget until it is released. Waits when it is exhausted; reservations are granted in the
   * order of the calls.
   *
   * Reserve everything that a task needs at once, because two tasks that hold a part and wait for more would deadlock.
   *
   * @throws {LongboxError} `kernel/memory-busy` (503, with `Retry-After`) when there is no room within the time limit
   * @throws {LongboxError} `kernel/memory-too-large` for more than the whole budget
   * @throws the signal's reason when it aborts first
   */
  reserve(bytes: number, signal?: AbortSignal): Promise<Releasable>;
}
