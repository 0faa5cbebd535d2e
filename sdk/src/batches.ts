/**
 * Cuts a list into lists of at most `size`. Without one, they fit into a statement, which takes at most 32,766 values.
 */
export function* inBatches<T>(list: readonly T[], size = 500): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
