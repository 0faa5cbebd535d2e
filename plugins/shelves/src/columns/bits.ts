/** A set of documents: one bit for each. */
export class Bits {
  readonly words: Uint32Array;

  constructor(
    readonly size: number,
    words?: Uint32Array,
  ) {
    this.words = words ?? new Uint32Array((size + 31) >>> 5);
  }

  static all(size: number): Bits {
    const bits = new Bits(size);
    bits.words.fill(0xffffffff);
    const rest = size & 31;
    if (rest > 0) bits.words[bits.words.length - 1] = 0xffffffff >>> (32 - rest);
    return bits;
  }

  add(document: number): void {
    this.words[document >>> 5]! |= 1 << (document & 31);
  }

  remove(document: number): void {
    this.words[document >>> 5]! &= ~(1 << (document & 31));
  }

  has(document: number): boolean {
    return (this.words[document >>> 5]! & (1 << (document & 31))) !== 0;
  }

  /** A copy that may be larger; what is new is not in it. */
  grown(size: number): Bits {
    const words = new Uint32Array((size + 31) >>> 5);
    words.set(this.words.subarray(0, words.length));
    return new Bits(size, words);
  }

  /** Keeps what is in the other, too. */
  and(other: Bits): this {
    for (let at = 0; at < this.words.length; at++) this.words[at]! &= other.words[at] ?? 0;
    return this;
  }

  /** Removes what is in the other. */
  andNot(other: Bits): this {
    for (let at = 0; at < this.words.length; at++) this.words[at]! &= ~(other.words[at] ?? 0);
    return this;
  }

  count(): number {
    let total = 0;
    for (const word of this.words) total += ones(word);
    return total;
  }

  /** Calls for each document in the set, in their order. */
  forEach(visit: (document: number) => void): void {
    const { words } = this;
    for (let at = 0; at < words.length; at++) {
      let word = words[at]!;
      while (word !== 0) {
        const lowest = word & -word;
        visit((at << 5) + 31 - Math.clz32(lowest));
        word ^= lowest;
      }
    }
  }
}

/** How many bits of a word are set. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
