/**
 * Timers of the kernel's own work. Node reports each timer that is created, and those that code starts on behalf of a
 * plugin are attributed by the stack. That takes longer than a query, so what the kernel starts for each query is left
 * out.
 */
let starting = false;

/** Whether the timer that is being created is one of these. */
export function isOwnTimer(): boolean {
  return starting;
}

/** As `setTimeout`. */
export function ownTimeout(work: () => void, milliseconds: number): NodeJS.Timeout {
  starting = true;
  try {
    return setTimeout(work, milliseconds);
  } finally {
    starting = false;
  }
}

/** As `setImmediate`. */
export function ownImmediate(work: () => void): NodeJS.Immediate {
  starting = true;
  try {
    return setImmediate(work);
  } finally {
    starting = false;
  }
}
