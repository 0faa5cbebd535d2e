import type { FileHandle } from "node:fs/promises";
import type { StreamedAnswer } from "@longbox/sdk";
import type { ByteRate } from "./byte-rate.js";

/** After so much the disk begins to work, so that the end does not wait for the whole file. */
const syncedBytes = 256 * 1024 * 1024;

export interface Receiving {
  readonly file: FileHandle;
  /** Where the first byte belongs. */
  readonly from: number;
  readonly rate: ByteRate;
  readonly signal: AbortSignal;
  /** Called with the length of the file so far. */
  readonly moved: (doneBytes: number) => void;
}

/**
 * Writes the body of an answer into a file, and to the disk. What came before a failure is written.
 * @throws what broke the connection or the writing
 */
export async function receive(answer: Pick<StreamedAnswer, "chunks">, receiving: Receiving): Promise<void> {
  const writing = new Writing(receiving);
  try {
    // While one chunk is written, the kernel gathers the next.
    for await (const chunk of answer.chunks({ reuseMemory: true })) await writing.take(chunk);
  } finally {
    await writing.finish();
  }
}

class Writing {
  #at: number;
  #unsynced = 0;
  #syncing: Promise<unknown> | undefined;

  constructor(private readonly receiving: Receiving) {
    this.#at = receiving.from;
  }

  async take(chunk: Uint8Array): Promise<void> {
    const { rate, signal } = this.receiving;
    for (let taken = 0; taken < chunk.byteLength;) {
      const piece = chunk.subarray(taken, taken + Math.min(chunk.byteLength, rate.pieceBytes()));
      await this.#write(piece);
      taken += piece.byteLength;
      await rate.pass(piece.byteLength, signal);
    }
  }

  /** What was taken is on the disk afterwards. */
  async finish(): Promise<void> {
    await this.#syncing;
    await this.receiving.file.datasync();
  }

  async #write(piece: Uint8Array): Promise<void> {
    const { file, moved } = this.receiving;
    // A disk that is nearly full may write fewer bytes than it was given.
    for (let written = 0; written < piece.byteLength;) {
      const { bytesWritten } = await file.write(piece, written, piece.byteLength - written, this.#at);
      written += bytesWritten;
      this.#at += bytesWritten;
    }
    moved(this.#at);
    this.#unsynced += piece.byteLength;
    if (this.#unsynced >= syncedBytes) this.#beginSync();
  }

  #beginSync(): void {
    if (this.#syncing) return;
    this.#unsynced = 0;
    // A disk that fails says so again at the end.
    const ended = () => (this.#syncing = undefined);
    this.#syncing = this.receiving.file.datasync().then(ended, ended);
  }
}
