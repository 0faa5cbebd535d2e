import { readFileSync } from "node:fs";

/**
 * Milliseconds on a clock that stands still while work on this machine waits for a processor, as Linux counts it. Long runs hold
 * their bounds on it, beside wider ones in real time: what other programs take away says nothing about this one. On a
 * machine without other work, and where the system does not count, it is the real time.
 */
export function undisturbedNow(): number {
  return performance.now() - waitedMs();
}

function waitedMs(): number {
  try {
    const [, micros = "0"] = /^some .*total=(\d+)/m.exec(readFileSync("/proc/pressure/cpu", "utf8")) ?? [];
    return Number(micros) / 1_000;
  } catch {
    return 0;
  }
}
