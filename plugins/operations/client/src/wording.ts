const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const steps: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** `3 hours ago`, `in 5 minutes`. */
export function fromNow(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  for (const [unit, length] of steps) if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  return relative.format(Math.round(seconds), "second");
}

/** `2 min 5 s`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** How long a job took, or has taken so far. */
export function took(job: { startedAt?: string; endedAt?: string }): string {
  if (!job.startedAt) return "";
  return duration(((job.endedAt ? Date.parse(job.endedAt) : Date.now()) - Date.parse(job.startedAt)) / 1_000);
}

export function clockTime(time: string): string {
  return new Date(time).toLocaleTimeString(undefined, { hour12: false });
}

export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
