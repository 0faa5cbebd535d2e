import { constants, getPriority, setPriority } from "node:os";

/** Steps of the scheduler: a thread gets a tenth of what another one gets that wants the same core. */
const stepsBelow = 10;
const perThread = process.platform === "linux";

/**
 * Lets the calling thread of a worker give way to the event loop, which answers everybody, when both want a core. Only
 * Linux has a priority for each thread; elsewhere the call would hold for the whole process, and is left out.
 */
export function giveWay(): void {
  if (perThread) lower();
}

/** Lets a process of its own give way to the server, where its threads do not do so themselves. */
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
