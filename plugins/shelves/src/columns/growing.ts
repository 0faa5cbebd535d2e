const numberBytes = 4;
/** Address space, not memory: what is set aside for a column to grow into. */
const leastReserved = 16 * 1024 * 1024;
const stepBytes = 256 * 1024;

/**
 * A list of whole numbers from 0 to 2^32 - 1 in consecutive memory. It grows in place, in address space that was set
 * aside: columns that are copied to grow left twice their size behind in the allocator.
 */
export class Numbers {
  #buffer: ArrayBuffer;
  #values: Uint32Array;
  #length: number;

  constructor(values: Uint32Array = new Uint32Array(0)) {
    this.#length = values.length;
    this.#buffer = reserve(values.byteLength);
    this.#values = new Uint32Array(this.#buffer);
    this.#values.set(values);
  }

  get length(): number {
    return this.#length;
  }

  /** What is in it, without the room that is left; valid until the next {@link push}. */
  get values(): Uint32Array {
    return new Uint32Array(this.#buffer, 0, this.#length);
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  push(value: number): void {
    if (this.#length * numberBytes === this.#buffer.byteLength) this.#grow();
    this.#values[this.#length++] = value;
  }

  #grow(): void {
    const wanted = this.#buffer.byteLength + stepBytes;
    if (wanted <= this.#buffer.maxByteLength) return this.#buffer.resize(wanted);
    const larger = reserve(wanted);
    const values = new Uint32Array(larger);
    values.set(this.#values);
    this.#buffer = larger;
    this.#values = values;
  }
}

/** @returns memory of this size that can grow to four times that */
function reserve(bytes: number): ArrayBuffer {
  return new ArrayBuffer(bytes, { maxByteLength: Math.max(leastReserved, bytes * 4) });
}
