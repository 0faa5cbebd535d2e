/** Cuts a list into lists of at most `size`, such as for statements that take a bounded number of values. */
export function* inBatches<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
