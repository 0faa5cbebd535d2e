import { closeSync, openSync, readSync } from "node:fs";
import type { ByteParser, ByteRange } from "../archives/byte-reading.js";
import { UnreadableArchive } from "../archives/unreadable.js";

/** A small comic is read whole in one go; of a large one the beginning. */
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

  close(): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }

  /** The first bytes, as many as there are. */
  head(length: number): Buffer {
    return this.#buffer.subarray(0, Math.min(length, this.#filled));
  }

  /** Up to this many bytes; fewer where the file ends. */
  readUpTo(offset: number, length: number): Buffer {
    if (offset + length <= this.#filled) return this.#buffer.subarray(offset, offset + length);
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.#descriptor, bytes, 0, length, offset));
  }

  /** Runs a parser on the file. @throws {UnreadableArchive} */
  parse<T>(parser: ByteParser<T>): T {
    let step = parser.next();
    while (!step.done) step = parser.next(this.#read(step.value));
    return step.value;
  }

  #read({ offset, length }: ByteRange): Buffer {
    const bytes = this.readUpTo(offset, length);
    if (bytes.length < length) throw new UnreadableArchive("truncated", "The file ends before its contents do.");
    return bytes;
  }
}
