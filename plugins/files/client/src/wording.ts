const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const steps: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** `3 hours ago`. */
export function fromNow(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  for (const [unit, length] of steps) if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  return relative.format(Math.round(seconds), "second");
}

/** `1 file`, `12 files`. */
export function count(many: number, word: string, plural = `${word}s`): string {
  return `${many.toLocaleString()} ${many === 1 ? word : plural}`;
}

/** `1.5 MB`. */
export function bytes(size: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = size < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3));
  const value = size / 1_000 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power]}`;
}

/** `Moth Patrol (2019)`. */
export function named(name: string, year: number | null | undefined): string {
  return year === null || year === undefined ? name : `${name} (${year})`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function folderName(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

/** Whether no plugin answers what was asked for. */
export function isAway(fault: unknown): boolean {
  return (fault as { code?: unknown }).code === "kernel/no-such-path";
}
