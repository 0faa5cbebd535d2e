/** Room grows by a quarter, so that a million documents never need twice their memory. */
const roomFor = (length: number) => Math.max(1024, length + (length >>> 2));

/** A list of whole numbers from 0 to 2^32 - 1 in consecutive memory. */
export class Numbers {
  #values: Uint32Array;
  #length: number;

  constructor(values: Uint32Array = new Uint32Array(0)) {
    this.#values = values;
    this.#length = values.length;
  }

  get length(): number {
    return this.#length;
  }

  /** What is in it, without the room that is left; valid until the next {@link push}. */
  get values(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow();
    this.#values[this.#length++] = value;
  }

  #grow(): void {
    const larger = new Uint32Array(roomFor(this.#length + 1));
    larger.set(this.#values);
    this.#values = larger;
  }
}
