import type { JobControl } from "@longbox/operations/contract";

/** What a scan needs of its job. */
export type ScanControl = Pick<JobControl, "signal" | "progress">;

const everyMs = 1_000;

/**
 * Announces the progress of a scan within a job that belongs to another plugin, such as a schedule: once a second at
 * most.
 */
export function announcing(control: ScanControl, announce: () => void): ScanControl {
  let announcedMs = -Infinity;
  return {
    signal: control.signal,
    progress(done, total, message) {
      control.progress(done, total, message);
      const now = performance.now();
      if (now - announcedMs < everyMs) return;
      announcedMs = now;
      announce();
    },
  };
}
