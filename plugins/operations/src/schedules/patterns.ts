import { Cron } from "croner";

/** What is wrong with a cron pattern, to stand after its name; undefined when nothing is. */
export function problemOfPattern(pattern: string): string | undefined {
  if (pattern.trim().split(/\s+/).length !== 5) return "must have five fields: minute, hour, day, month, weekday";
  try {
    return new Cron(pattern, { paused: true }).nextRun() ? undefined : "names a time that never comes";
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault);
  }
}
