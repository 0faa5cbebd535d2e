interface Kept<V> {
  readonly version: number;
  readonly value: V;
}

/** Query results that are needed repeatedly, such as by every page of an issue; cached until anything is written. */
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

  /** The result of `read`, cached while the data are the same. Callers share it and must not change it. */
  async get(key: string, read: () => Promise<V>): Promise<V> {
    const version = this.#dataVersion();
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept?.version === version) {
      this.#kept.set(key, kept);
      return kept.value;
    }
    const value = await read();
    // The result may or may not contain what was written meanwhile.
    if (this.#dataVersion() === version) this.#keep(key, { version, value });
    return value;
  }

  #keep(key: string, kept: Kept<V>): void {
    this.#kept.set(key, kept);
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value as string);
  }
}
