const mostNames = 10;

/** `1 file`, `3 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `3 copies are redundant: a; b; c`. Names beyond the tenth are only counted. */
export function named(sentence: string, names: readonly string[]): string {
  if (names.length === 0) return sentence;
  const rest = names.length - mostNames;
  return `${sentence}: ${names.slice(0, mostNames).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}
