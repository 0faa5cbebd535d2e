// What becomes of a value before any engine gets it.
const unstorable = "\0";
const inItsPlace = "\ufffd";

/**
 * Text as every engine keeps it. PostgreSQL has no text with U+0000, and SQLite's functions end at one, so it becomes
 * U+FFFD, as parts of broken characters do: hostile names in files stop no scan, and a name with it is not that
 * without.
 */
export function storableText(text: string): string {
  return text.includes(unstorable) ? text.replaceAll(unstorable, inItsPlace) : text;
}

/** A bound value as all engines take it: none knows undefined, and flags are numbers, times are text. */
export function toBoundValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(toBoundValue) : value;
}

/** A list as JSON, which an engine reads as rows. */
export function toBoundJson(values: readonly unknown[]): string {
  const text = JSON.stringify(values);
  if (!text.includes("\\u0000")) return text;
  return JSON.stringify(values, (_, value: unknown) => (typeof value === "string" ? storableText(value) : value));
}
