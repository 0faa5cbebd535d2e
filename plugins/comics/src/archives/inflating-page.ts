import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { pipeline, Transform, type TransformCallback } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import type { Content } from "@longbox/sdk";
import { UnreadableArchive } from "./unreadable.js";
import { FileChanged } from "../pages/file-changed.js";
import type { ZipEntry } from "./zip-directory.js";

/** Larger pages are inflated while they are sent, so that a client that reads slowly holds no memory. */
export const bufferedPageBytes = 8 * 1024 * 1024;

/** Passes on what the directory promised, and breaks off when it is anything else. */
class Promised extends Transform {
  #bytes = 0;
  #checksum = 0;

  constructor(private readonly entry: ZipEntry) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#checksum = crc32(chunk, this.#checksum);
    if (this.#bytes <= this.entry.sizeBytes) return done(undefined, chunk);
    done(new UnreadableArchive("lying-size", "The archive is damaged: an entry is larger than its directory says."));
  }

  override _flush(done: TransformCallback): void {
    if (this.#bytes === this.entry.sizeBytes && this.#checksum === this.entry.crc32) return done();
    done(new UnreadableArchive("damaged", "The archive is damaged: an entry's checksum is wrong."));
  }
}

/** An archive that is open, and may be closed before its page has been sent. */
export interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * A deflated page as a stream.
 * @param offset - Where its data begins in the file
 * @throws {FileChanged} when the path leads to another file by now
 */
export async function inflatingPage(
  file: OpenFile,
  entry: ZipEntry,
  { offset, contentType }: { readonly offset: number; readonly contentType: string },
): Promise<Content> {
  const end = offset + Math.max(entry.compressedBytes, 1) - 1;
  const stream = new Promised(entry);
  const packed = (await openAgain(file)).createReadStream({ start: offset, end });
  pipeline(packed, createInflateRaw(), stream, () => {
    // What went wrong is the stream's own error.
  });
  return { kind: "stream", stream, contentType, length: entry.sizeBytes };
}

/**
 * The same file with a descriptor of its own: the path alone could lead to anything by now, also out of the library.
 */
async function openAgain({ path, handle }: OpenFile): Promise<FileHandle> {
  const again = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(changed);
  const [known, found] = await Promise.all([handle.stat(), again.stat()]);
  if (found.dev === known.dev && found.ino === known.ino) return again;
  await again.close();
  throw new FileChanged();
}

function changed(cause: unknown): never {
  throw Object.assign(new FileChanged(), { cause });
}
