/**
 * Timers of the kernel's own work. Node reports each timer that is created, and those that code starts on behalf of a
 * plugin are attributed by the stack. That takes longer than a query, so what the kernel starts for each query, and for
 * each thing that it releases, is left out.
 */
let starting = false;

/** Whether the timer that is being created is one of these. */
export function isOwnTimer(): boolean {
  return starting;
}

/** All timers that `begin` starts before it returns are the kernel's own. */
export function withOwnTimers<T>(begin: () => T): T {
  starting = true;
  try {
    return begin();
  } finally {
    starting = false;
  }
}

/** As `setTimeout`. */
export function ownTimeout(work: () => void, milliseconds: number): NodeJS.Timeout {
  return withOwnTimers(() => setTimeout(work, milliseconds));
}

/** As `setImmediate`. */
export function ownImmediate(work: () => void): NodeJS.Immediate {
  return withOwnTimers(() => setImmediate(work));
}
