/**
 * Copies of one picture differ in fewer of their 128 bits; see `hashDistance` of imaging. Pages to be hidden must be
 * alike beyond doubt.
 */
const alikeWithin = 10;

/** A perceptual hash as four numbers of 32 bits, which compare a hundred times faster than its digits. */
export type HashWords = readonly [number, number, number, number];

/** @param hash - 32 hexadecimal digits */
export function hashWords(hash: string): HashWords {
  const word = (at: number) => Number.parseInt(hash.slice(at, at + 8), 16) | 0;
  return [word(0), word(8), word(16), word(24)];
}

/** Whether two pages show the same picture. */
export function areAlike(one: HashWords, other: HashWords): boolean {
  let differing = 0;
  for (let index = 0; index < 4; index++) {
    differing += bitsIn(one[index]! ^ other[index]!);
    if (differing > alikeWithin) return false;
  }
  return true;
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
