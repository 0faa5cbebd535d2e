import { constants, getPriority, setPriority } from "node:os";

/** A nice value: while both compete for a core, such a thread gets about a tenth of the time of a thread at 0. */
const stepsBelow = 10;
const perThread = process.platform === "linux";

/**
 * Lowers the priority of the calling worker thread, so that the event loop, which answers all requests, runs first.
 * Only Linux has a priority for each thread; on other systems the call would affect the whole process, and is left out.
 */
export function giveWay(): void {
  if (perThread) lower();
}

/** Lowers the priority of a worker process, on systems where its threads cannot do so themselves. */
export function giveWayAsProcess(): void {
  if (!perThread) lower();
}

/** Where the system does not allow it, the work is done at the usual priority. */
function lower(): void {
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + stepsBelow));
  } catch {
    return;
  }
}
