/** Bytes for a path; file systems allow 4,096. */
const pathBytes = 8192;
const sequenceAt = 0;
const lengthAt = 1;
const headerBytes = 8;

/**
 * Memory that the inspecting thread and the server share, so that the server knows what a thread was at when it died.
 */
export function sharedCurrentFile(): SharedArrayBuffer {
  return new SharedArrayBuffer(headerBytes + pathBytes);
}

/** Says which file is being looked into. An odd sequence number means that one is. */
export class CurrentFile {
  readonly #numbers: Int32Array;
  readonly #path: Uint8Array;
  readonly #encoder = new TextEncoder();

  constructor(shared: SharedArrayBuffer) {
    this.#numbers = new Int32Array(shared, 0, 2);
    this.#path = new Uint8Array(shared, headerBytes);
  }

  begin(path: string): void {
    const { written } = this.#encoder.encodeInto(path, this.#path);
    Atomics.store(this.#numbers, lengthAt, written);
    Atomics.add(this.#numbers, sequenceAt, 1);
  }

  end(): void {
    Atomics.add(this.#numbers, sequenceAt, 1);
  }

  /** Changes with every file that begins and ends. */
  get sequence(): number {
    return Atomics.load(this.#numbers, sequenceAt);
  }

  /** The file that is being looked into. */
  get path(): string | undefined {
    if (this.sequence % 2 === 0) return undefined;
    const length = Atomics.load(this.#numbers, lengthAt);
    return Buffer.from(this.#path.slice(0, length)).toString("utf8");
  }
}
