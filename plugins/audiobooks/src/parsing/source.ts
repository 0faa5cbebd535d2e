/** A file that is refused; the message is a sentence that users see. */
export class Unreadable extends Error {}

/** What is read from: up to `length` bytes, fewer at the end of the file. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/** Headers of a file are far smaller. What is larger was made to occupy the scan. */
const mostBytes = 48 * 1024 * 1024;
const mostReads = 100_000;
const blockBytes = 8192;

/** The bytes of a file, read by offset in any order, with a limit on the total. */
export class Source {
  #block: Buffer = Buffer.alloc(0);
  #blockOffset = 0;
  #bytes = 0;
  #reads = 0;

  constructor(
    readonly sizeBytes: number,
    private readonly readBytes: ReadBytes,
  ) {}

  /** @throws {Unreadable} when the file ends before, or too much is read */
  read(offset: number, length: number): Buffer {
    if (offset < 0 || length < 0 || offset + length > this.sizeBytes) throw new Unreadable("The file is cut off.");
    const from = offset - this.#blockOffset;
    if (from >= 0 && from + length <= this.#block.length) return this.#block.subarray(from, from + length);
    this.#count(length);
    if (length > blockBytes) return this.#readFully(offset, length);
    this.#block = this.#readFully(offset, Math.min(blockBytes, this.sizeBytes - offset));
    this.#blockOffset = offset;
    return this.#block.subarray(0, length);
  }

  /** The last bytes, at most this many. */
  tail(length: number): Buffer {
    const kept = Math.min(length, this.sizeBytes);
    return this.read(this.sizeBytes - kept, kept);
  }

  #readFully(offset: number, length: number): Buffer {
    const bytes = Buffer.from(this.readBytes(offset, length));
    if (bytes.length < length) throw new Unreadable("The file is cut off.");
    return bytes;
  }

  #count(length: number): void {
    this.#bytes += Math.max(length, blockBytes);
    this.#reads += 1;
    if (this.#bytes > mostBytes || this.#reads > mostReads)
      throw new Unreadable("The headers of the file are too long.");
  }
}
