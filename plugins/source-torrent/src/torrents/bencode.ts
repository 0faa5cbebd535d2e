/** A dictionary, with where its values lie in the document: the hash of a torrent is that of the bytes as they are. */
export class BencodedDictionary {
  readonly #values = new Map<string, { readonly value: Bencoded; readonly start: number; readonly end: number }>();

  /** Keys are bytes; here each byte is one character. */
  get(key: string): Bencoded | undefined {
    return this.#values.get(key)?.value;
  }

  entries(): Array<readonly [string, Bencoded]> {
    return [...this.#values].map(([key, { value }]) => [key, value]);
  }

  /** From the first byte of a value to behind its last one. */
  spanOf(key: string): readonly [start: number, end: number] | undefined {
    const found = this.#values.get(key);
    return found && [found.start, found.end];
  }

  /** @throws {Error} the key is there already: programs differ on which value counts */
  put(key: string, value: Bencoded, [start, end]: readonly [number, number]): void {
    if (this.#values.has(key)) throw new Error("The torrent is damaged: it contains a duplicate key.");
    this.#values.set(key, { value, start, end });
  }
}

export type Bencoded = number | Uint8Array | readonly Bencoded[] | BencodedDictionary;

export interface BencodeLimits {
  /** Lists and dictionaries inside each other. */
  readonly depth: number;
  /** Values in all. */
  readonly values: number;
}

const zero = 0x30;
const nine = 0x39;
const longestNumber = 16;

/**
 * Reads one bencoded document, strictly. Our own, because the libraries for it give no limits, follow any depth by
 * recursion, accept numbers such as `-0` and `1x`, and do not say where a value lies: they encode `info` once more to
 * hash it, which is another hash where the keys of a torrent are not sorted.
 * @throws {Error} with a sentence for a person
 */
export function readBencode(bytes: Uint8Array, limits: BencodeLimits): Bencoded {
  const reading = new Reading(bytes, limits);
  const value = reading.value(0);
  if (reading.at !== bytes.length) throw new Error("The torrent is damaged: something follows its end.");
  return value;
}

class Reading {
  at = 0;
  #values = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly limits: BencodeLimits,
  ) {}

  value(depth: number): Bencoded {
    if (++this.#values > this.limits.values) throw new Error("The torrent holds too many values.");
    if (depth > this.limits.depth) throw new Error("The torrent nests too deeply.");
    const first = this.bytes[this.at];
    if (first === undefined) throw cutOff();
    if (first >= zero && first <= nine) return this.#string();
    this.at += 1;
    if (first === 0x69) return this.#integer("e");
    if (first === 0x6c) return this.#list(depth);
    if (first === 0x64) return this.#dictionary(depth);
    throw new Error("This is not a torrent: it is not bencoded.");
  }

  #list(depth: number): Bencoded[] {
    const list: Bencoded[] = [];
    while (!this.#ends()) list.push(this.value(depth + 1));
    return list;
  }

  #dictionary(depth: number): BencodedDictionary {
    const dictionary = new BencodedDictionary();
    while (!this.#ends()) {
      const key = latin(this.#string());
      const start = this.at;
      const value = this.value(depth + 1);
      dictionary.put(key, value, [start, this.at]);
    }
    return dictionary;
  }

  /** Whether a list or dictionary ends here. */
  #ends(): boolean {
    if (this.at >= this.bytes.length) throw cutOff();
    if (this.bytes[this.at] !== 0x65) return false;
    this.at += 1;
    return true;
  }

  #string(): Uint8Array {
    const length = this.#integer(":");
    if (length < 0 || length > this.bytes.length - this.at) throw cutOff();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  #integer(end: "e" | ":"): number {
    const stop = this.bytes.indexOf(end.charCodeAt(0), this.at);
    if (stop === -1 || stop - this.at > longestNumber) throw notNumber();
    const text = latin(this.bytes.subarray(this.at, stop));
    if (!/^(?:0|-?[1-9]\d*)$/.test(text) || !Number.isSafeInteger(Number(text))) throw notNumber();
    this.at = stop + 1;
    return Number(text);
  }
}

const latin = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
const cutOff = () => new Error("The torrent is damaged: it ends too early.");
const notNumber = () => new Error("The torrent is damaged: a number in it cannot be read.");
