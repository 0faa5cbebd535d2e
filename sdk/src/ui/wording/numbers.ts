import { locale } from "../language/language.js";

const whole = new Intl.NumberFormat(locale);
const hundredths = new Intl.NumberFormat(locale, { style: "percent" });
const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"].map(
  (unit, power) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit,
      // Few languages have a sign for bytes.
      unitDisplay: power === 0 ? "long" : "short",
      maximumFractionDigits: 1,
    }),
);

/** `1,204`. */
export function number(value: number): string {
  return whole.format(value);
}

/** `1 file`, `1,204 files`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** `3.1 GB`, or as the language has it, in powers of a thousand as disks are sold. */
export function bytes(size: number): string {
  const power = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, size)) / 3)));
  return sizes[power]!.format(size / 1000 ** power);
}

/** Whole per cent; only what is whole is called 100, and only what is nothing 0. */
export function percent(part: number, all: number): string {
  if (all === 0 || part === 0) return hundredths.format(0);
  if (part >= all) return hundredths.format(1);
  return hundredths.format(Math.min(99, Math.max(1, Math.round((part / all) * 100))) / 100);
}
