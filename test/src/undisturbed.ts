import { readdirSync, readFileSync } from "node:fs";

/**
 * Milliseconds on a clock that stands still while any work on this machine waits for a processor, as Linux counts it:
 * for what several processes do together. Long runs hold their bounds on such clocks, beside wider ones in real time:
 * what other programs take away says nothing about this one. On a machine without other work, and where the system does
 * not count, it is the real time.
 */
export function undisturbedNow(): number {
  return performance.now() - waitedMs();
}

/** The same for what this process does alone: stands still only while threads of it wait. */
export function ownNow(): number {
  return performance.now() - ownWaitedMs();
}

/** How long each thread had waited when it was last looked at, in milliseconds: those that have ended are missed. */
const threads = new Map<string, number>();
let ownMs = 0;

function ownWaitedMs(): number {
  try {
    for (const thread of readdirSync("/proc/self/task")) {
      const waited = Number(readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ")[1]) / 1e6;
      ownMs += Math.max(0, waited - (threads.get(thread) ?? 0));
      threads.set(thread, waited);
    }
  } catch {
    // A thread has ended meanwhile, or the system does not count.
  }
  return ownMs;
}

function waitedMs(): number {
  try {
    const [, micros = "0"] = /^some .*total=(\d+)/m.exec(readFileSync("/proc/pressure/cpu", "utf8")) ?? [];
    return Number(micros) / 1_000;
  } catch {
    return 0;
  }
}
