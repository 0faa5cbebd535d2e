/** The values in groups, for statements that take so many parameters and no more. */
export function* slices<T>(values: readonly T[], size = 500): Generator<T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}
