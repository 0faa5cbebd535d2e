import type { Releasable } from "./releasable.js";

/** The memory that all plugins together may take for what they unpack, render or buffer. */
export interface MemoryBudget {
  /** All of it, in bytes. Depends on the machine, and on the server's settings. */
  readonly limitBytes: number;
  /**
   * Takes a part of the budget until it is released. Where it is taken already, this waits for its turn; reservations
   * are granted in the order in which they were asked for.
   *
   * Reserve everything that a piece of work needs at once: two that hold a part and wait for more would wait for each other.
   *
   * @throws {LongboxError} `kernel/memory-busy` (503, with `Retry-After`) when there is no room within the limit of time
   * @throws {LongboxError} `kernel/memory-too-large` for more than the whole budget
   * @throws the signal's reason when it aborts first
   */
  reserve(bytes: number, signal?: AbortSignal): Promise<Releasable>;
}
