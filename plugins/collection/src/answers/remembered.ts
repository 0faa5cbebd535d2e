interface Kept<V> {
  readonly version: number;
  readonly value: V;
}

/** Answers of the database that are asked for again and again, such as by every page of one issue; kept until anything is written. */
export class Remembered<V> {
  readonly #dataVersion: () => number;
  readonly #most: number;
  readonly #kept = new Map<string, Kept<V>>();

  /**
   * @param dataVersion - another number after every write
   * @param most - how many are kept; those not asked for longest go first
   */
  constructor(dataVersion: () => number, most: number) {
    this.#dataVersion = dataVersion;
    this.#most = most;
  }

  /** What `read` says, or said while the data were the same. Callers share the answer, and must not change it. */
  async get(key: string, read: () => Promise<V>): Promise<V> {
    const version = this.#dataVersion();
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept?.version === version) {
      this.#kept.set(key, kept);
      return kept.value;
    }
    const value = await read();
    // What was written meanwhile may or may not be in the answer.
    if (this.#dataVersion() === version) this.#keep(key, { version, value });
    return value;
  }

  #keep(key: string, kept: Kept<V>): void {
    this.#kept.set(key, kept);
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value as string);
  }
}
