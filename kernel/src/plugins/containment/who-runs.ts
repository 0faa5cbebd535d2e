/** Longer ids are not recorded. */
const idBytes = 64;
const mostOwners = 1024;
const wordCount = 4;
const [ownerWord, changesWord, turnsWord, causeWord] = [0, 1, 2, 3];
const causeBytes = 1024;
const causeAt = wordCount * 4 + mostOwners * idBytes;

/**
 * The plugin whose code runs at this moment, in memory that another thread can read while this one hangs. Two writes
 * to memory for each change: it is on the path of every request.
 */
export class WhoRuns {
  /** For the thread that reads it with {@link readWhoRuns}. */
  readonly shared = new SharedArrayBuffer(causeAt + causeBytes);
  readonly #words = new Int32Array(this.shared, 0, wordCount);
  readonly #ids = new Uint8Array(this.shared, wordCount * 4, mostOwners * idBytes);
  readonly #cause = new Uint8Array(this.shared, causeAt);
  readonly #numbers = new Map<string, number>();

  /** Records that this owner's code, or unknown code, runs from now on. @returns what to hand to `leave` */
  enter(id: string | undefined): number {
    const before = this.#words[ownerWord]!;
    this.#set(id === undefined ? 0 : (this.#numbers.get(id) ?? this.#number(id)));
    return before;
  }

  leave(before: number): void {
    this.#set(before);
  }

  /** Why the owner's code runs, as a text; texts that are too long are left out. */
  because(cause: string | undefined): void {
    const bytes = Buffer.from(cause ?? "");
    const fits = bytes.length <= causeBytes;
    if (fits) this.#cause.set(bytes);
    this.#words[causeWord] = fits ? bytes.length : 0;
  }

  /** The event loop has turned. */
  turned(): void {
    this.#words[turnsWord]! += 1;
  }

  #set(number: number): void {
    this.#words[ownerWord] = number;
    this.#words[changesWord]! += 1;
  }

  /** Zero, for none, when there is no room. */
  #number(id: string): number {
    const bytes = Buffer.from(id);
    const number = this.#numbers.size + 1 < mostOwners && bytes.length < idBytes ? this.#numbers.size + 1 : 0;
    if (number > 0) this.#ids.set(bytes, number * idBytes);
    this.#numbers.set(id, number);
    return number;
  }
}

/** The state as the other thread reads it. Two equal states mean that nothing has happened in between. */
export interface Sight {
  readonly id: string | undefined;
  readonly cause: string | undefined;
  readonly changes: number;
  readonly turns: number;
}

export function readWhoRuns(shared: SharedArrayBuffer): Sight {
  const words = new Int32Array(shared, 0, wordCount);
  const number = Atomics.load(words, ownerWord!);
  const bytes = Buffer.from(new Uint8Array(shared, wordCount * 4 + number * idBytes, idBytes));
  const cause = Buffer.from(new Uint8Array(shared, causeAt, Atomics.load(words, causeWord!)));
  return {
    cause: cause.length === 0 ? undefined : cause.toString("utf8"),
    id: number === 0 ? undefined : bytes.toString("utf8", 0, bytes.indexOf(0)),
    changes: Atomics.load(words, changesWord!),
    turns: Atomics.load(words, turnsWord!),
  };
}
