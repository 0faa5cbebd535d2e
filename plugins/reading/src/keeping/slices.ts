/** The values in groups, because statements are limited in their number of parameters. */
export function* slices<T>(values: readonly T[], size = 500): Generator<T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}
