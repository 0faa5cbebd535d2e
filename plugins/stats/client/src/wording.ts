const numbers = new Intl.NumberFormat();
const precise = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const sizes = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

export function figure(value: number): string {
  return numbers.format(value);
}

/** `1 issue`, `1,204 issues`. */
export function count(value: number, one: string, many: string): string {
  return `${figure(value)} ${value === 1 ? one : many}`;
}

/** `3.1 GB`, in powers of a thousand as disks are sold. */
export function size(bytes: number): string {
  const step = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${precise.format(bytes / 1000 ** step)} ${sizes[step]}`;
}

/** Whole per cent; only what is whole is called 100, and only what is nothing 0. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0 %";
  if (part >= whole) return "100 %";
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}

/** `2026-05-31` as `31 May`. */
export function day(text: string): string {
  return days.format(new Date(`${text}T00:00:00Z`));
}

export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
