import { readFileSync } from "node:fs";

/** Of its silence, a process must have had this part to itself: a machine that is busy with others is not its fault. */
const leastOwnPart = 1 / 3;

/** How long a process has given no sign of life. */
export class Silence {
  #sinceMs = 0;
  #waitedBeforeMs = 0;

  /** A sign of life. */
  break(pid: number | undefined): void {
    this.#sinceMs = Date.now();
    this.#waitedBeforeMs = waitedForProcessorMs(pid);
  }

  /** By the clock, in milliseconds. */
  get lengthMs(): number {
    return Date.now() - this.#sinceMs;
  }

  /** What is left until it has lasted so long, in milliseconds: 0 or less when it has. */
  leftMs(limitMs: number, pid: number | undefined): number {
    const ownMs = this.lengthMs - Math.max(0, waitedForProcessorMs(pid) - this.#waitedBeforeMs);
    return Math.max(limitMs - this.lengthMs, limitMs * leastOwnPart - ownMs);
  }
}

/**
 * How long the main thread of a process was ready to run and waited for a processor, in milliseconds since its start.
 * Linux counts it; elsewhere it is 0.
 */
function waitedForProcessorMs(pid: number | undefined): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return Number(waitedNs ?? 0) / 1e6;
  } catch {
    return 0;
  }
}
