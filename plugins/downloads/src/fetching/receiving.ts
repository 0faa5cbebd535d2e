import type { FileHandle } from "node:fs/promises";
import type { ByteRate } from "./byte-rate.js";

/** So much is gathered before it is written: pieces of a network are small, and each write costs a turn of a thread. */
const gatheredBytes = 1024 * 1024;
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
export async function receive(chunks: AsyncIterable<Uint8Array>, receiving: Receiving): Promise<void> {
  const writing = new Writing(receiving);
  try {
    for await (const chunk of chunks) await writing.take(chunk);
  } finally {
    await writing.flush();
  }
}

/** Gathers pieces, and writes them while the next ones come. */
class Writing {
  #gathered: Uint8Array[] = [];
  #length = 0;
  #at: number;
  #underWay: Promise<unknown> = Promise.resolve();
  #unsynced = 0;
  #syncing: Promise<unknown> | undefined;

  constructor(private readonly receiving: Receiving) {
    this.#at = receiving.from;
  }

  async take(chunk: Uint8Array): Promise<void> {
    const { rate, signal } = this.receiving;
    const most = rate.pieceBytes();
    for (let at = 0; at < chunk.byteLength; at += most) {
      const piece = at === 0 && chunk.byteLength <= most ? chunk : chunk.subarray(at, at + most);
      this.#gathered.push(piece);
      this.#length += piece.byteLength;
      if (this.#length >= Math.min(gatheredBytes, most)) await this.#write();
      await rate.pass(piece.byteLength, signal);
    }
  }

  /** What was taken is in the file afterwards, and on the disk. */
  async flush(): Promise<void> {
    try {
      await this.#write();
      await this.#underWay;
    } finally {
      await this.#syncing;
      await this.receiving.file.sync();
    }
  }

  /** Begins to write what is gathered, once what was gathered before is written. */
  async #write(): Promise<void> {
    await this.#underWay;
    if (this.#length === 0) return;
    const [pieces, at, done] = [this.#gathered, this.#at, this.#at + this.#length];
    this.#gathered = [];
    this.#length = 0;
    this.#at = done;
    this.#underWay = writeAll(this.receiving.file, pieces, at).then(() => this.receiving.moved(done));
    // The next call, or the last one, throws it.
    this.#underWay.catch(() => undefined);
    this.#unsynced += done - at;
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

/** A disk that is nearly full takes a part of what it is given. */
async function writeAll(file: FileHandle, pieces: readonly Uint8Array[], at: number): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const { bytesWritten } = await file.writev(pieces, at);
  if (bytesWritten === length) return;
  const rest = Buffer.concat(pieces).subarray(bytesWritten);
  for (let written = 0; written < rest.length;)
    written += (await file.write(rest, written, rest.length - written, at + bytesWritten + written)).bytesWritten;
}
