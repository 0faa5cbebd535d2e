import { createReadStream } from "node:fs";
import { pipeline, Transform, type TransformCallback } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import type { Content } from "@longbox/sdk";
import { UnreadableArchive } from "./unreadable.js";
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

/** A deflated page as a stream. @param offset - Where its data begins in the file */
export function inflatingPage(path: string, entry: ZipEntry, place: { offset: number; contentType: string }): Content {
  const end = place.offset + Math.max(entry.compressedBytes, 1) - 1;
  const stream = new Promised(entry);
  pipeline(createReadStream(path, { start: place.offset, end }), createInflateRaw(), stream, () => {
    // What went wrong is the stream's own error.
  });
  return { kind: "stream", stream, contentType: place.contentType, length: entry.sizeBytes };
}
