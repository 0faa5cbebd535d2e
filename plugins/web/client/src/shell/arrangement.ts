/** How a user arranged the parts of a page. */
export interface Arrangement {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
}

/** Parts as a user arranged them; one that was not there yet stands after the one that it usually follows. */
export function inOrder<T>(parts: readonly T[], keyOf: (part: T) => string, order: readonly string[]): T[] {
  const known = new Map(order.map((key, index) => [key, index]));
  const placeOf = (part: T) => known.get(keyOf(part));
  const arranged = parts
    .filter((part) => placeOf(part) !== undefined)
    .sort((one, other) => placeOf(one)! - placeOf(other)!);
  for (const [index, part] of parts.entries()) {
    if (placeOf(part) !== undefined) continue;
    const before = parts[index - 1];
    arranged.splice(before === undefined ? 0 : arranged.indexOf(before) + 1, 0, part);
  }
  return arranged;
}

/** Moves a key one place towards the beginning or the end. */
export function moved(keys: readonly string[], key: string, step: 1 | -1): string[] {
  const from = keys.indexOf(key);
  const to = from + step;
  if (from === -1 || to < 0 || to >= keys.length) return [...keys];
  const next = keys.filter((other) => other !== key);
  next.splice(to, 0, key);
  return next;
}
