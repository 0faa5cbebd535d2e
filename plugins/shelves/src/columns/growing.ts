/** Whole numbers from 0 up, in one, two or four bytes each. */
export type WholeNumbers = Uint8Array | Uint16Array | Uint32Array;
type Width = 1 | 2 | 4;

/** Address space, not memory: what is set aside for a column to grow into. */
const leastReserved = 16 * 1024 * 1024;
const stepBytes = 256 * 1024;

/**
 * A list of whole numbers from 0 to 2^32 - 1 in consecutive memory, as narrow as the largest of them allows: most
 * columns have few different values. It grows in place, in address space that was set aside: columns that are copied to
 * grow left twice their size behind in the allocator.
 */
export class Numbers {
  #buffer: ArrayBuffer;
  #values: WholeNumbers;
  #length: number;
  #width: Width;
  #largest: number;

  constructor(values: WholeNumbers = new Uint8Array(0)) {
    this.#length = values.length;
    this.#width = values.BYTES_PER_ELEMENT as Width;
    this.#largest = largestOf(this.#width);
    this.#buffer = reserve(values.byteLength);
    this.#values = numbersIn(this.#buffer, this.#width);
    this.#values.set(values);
  }

  get length(): number {
    return this.#length;
  }

  /** What is in it, without the room that is left; valid until the next {@link push} or {@link set}. */
  get values(): WholeNumbers {
    return numbersIn(this.#buffer, this.#width, this.#length);
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  set(index: number, value: number): void {
    if (value > this.#largest) this.#widen(value);
    this.#values[index] = value;
  }

  push(value: number): void {
    if (value > this.#largest) this.#widen(value);
    if (this.#length * this.#width === this.#buffer.byteLength) this.#grow();
    this.#values[this.#length++] = value;
  }

  #grow(): void {
    const wanted = this.#buffer.byteLength + stepBytes;
    if (wanted <= this.#buffer.maxByteLength) this.#buffer.resize(wanted);
    else this.#move(wanted);
  }

  #widen(value: number): void {
    this.#width = value > largestOf(2) ? 4 : 2;
    this.#largest = largestOf(this.#width);
    this.#move(this.#length * this.#width);
  }

  #move(bytes: number): void {
    const buffer = reserve(bytes);
    const values = numbersIn(buffer, this.#width);
    values.set(this.#values.subarray(0, this.#length));
    this.#buffer = buffer;
    this.#values = values;
  }
}

/** @returns a view; without a length one that grows with the buffer */
export function numbersIn(buffer: ArrayBuffer, width: number, length?: number): WholeNumbers {
  if (width === 1) return new Uint8Array(buffer, 0, length);
  return width === 2 ? new Uint16Array(buffer, 0, length) : new Uint32Array(buffer, 0, length);
}

const largestOf = (width: Width) => 2 ** (8 * width) - 1;

/** @returns memory of this size that can grow to four times that */
function reserve(bytes: number): ArrayBuffer {
  return new ArrayBuffer(bytes, { maxByteLength: Math.max(leastReserved, bytes * 4) });
}
