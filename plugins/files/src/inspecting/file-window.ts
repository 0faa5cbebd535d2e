import { closeSync, openSync, readSync } from "node:fs";

/** A small file is read whole in one go; of a large one the beginning. */
const windowBytes = 16_384;

/**
 * One open file after the other, each with its first bytes in memory. The buffer is used again for the next file, so
 * whatever is to be kept must be copied. For worker threads.
 */
export class FileWindow {
  readonly #buffer = Buffer.allocUnsafeSlow(windowBytes);
  #descriptor = -1;
  #filled = 0;

  open(path: string): void {
    this.#descriptor = openSync(path, "r");
    this.#filled = readSync(this.#descriptor, this.#buffer, 0, windowBytes, 0);
  }

  get isOpen(): boolean {
    return this.#descriptor >= 0;
  }

  close(): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
    this.#filled = 0;
  }

  /** The first bytes, as many as are at hand. */
  get head(): Buffer {
    return this.#buffer.subarray(0, this.#filled);
  }

  /** Up to this many bytes; fewer where the file ends. */
  readUpTo(offset: number, length: number): Buffer {
    if (offset + length <= this.#filled) return this.#buffer.subarray(offset, offset + length);
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.#descriptor, bytes, 0, length, offset));
  }
}
