import type { JobControl } from "@longbox/operations/contract";
import type { RunningState } from "../running-state.js";

const everyMs = 300;

/** Does work that keeps a state of its own, and lets the job show it meanwhile. */
export async function follow<T>(state: () => RunningState, control: JobControl, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    const { running, done, total, message } = state();
    if (running) control.progress(done, total, message);
  }, everyMs);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
