/** Whole numbers that follow each other. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

interface Numbered {
  readonly kind: string;
  readonly value: number | null;
}

/** Numbers further apart than this, on average, count something else, such as years. */
export const mostPerKnown = 20;

/**
 * The whole numbers that are missing between the first and the last that are known: what can be said of the gaps of a
 * series whose volume is not known. Annuals and other kinds do not count.
 */
export function numberGaps(issues: readonly Numbered[]): NumberRange[] {
  const regular = issues.flatMap(({ kind, value }) => (kind === "issue" && value !== null ? [Math.floor(value)] : []));
  const known = [...new Set(regular.filter(Number.isSafeInteger))].toSorted((left, right) => left - right);
  const gaps: NumberRange[] = [];
  for (const [index, number] of known.slice(1).entries()) {
    const before = known[index] as number;
    if (number - before > 1) gaps.push({ from: before + 1, to: number - 1 });
  }
  const span = (known.at(-1) ?? 0) - (known[0] ?? 0);
  return span > known.length * mostPerKnown ? [] : gaps;
}
