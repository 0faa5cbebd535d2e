import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InspectedFile } from "@longbox/files/contract";
import type { BookFormat } from "../formats/book-formats.js";
import { stemOf } from "../formats/book-names.js";
import type { BookMetadata } from "./book-metadata.js";
import type { LookedAt } from "./looked-at.js";
import { looks } from "./looks.js";
import { UnreadableBook } from "./unreadable.js";

/** Formats that say more than others, the one that says most first. MOBI, for one, knows no series. */
const telling = ["epub", "fb2", "azw3", "mobi"] as const;
const headBytes = 16 * 1024;
const mostReadBytes = 64 * 1024 * 1024;

/**
 * What the same book says in a format that says more: the file of the same name in the same folder. Files that are one
 * book must agree about its series and title to be found as one.
 */
export function readTwin({ path, name }: InspectedFile, format: BookFormat): BookMetadata | undefined {
  const own = telling.findIndex((one) => one === format);
  for (const other of telling.slice(0, own === -1 ? undefined : own)) {
    const metadata = read(join(dirname(path), `${stemOf(name)}.${other}`), other);
    if (metadata?.title !== undefined) return metadata;
  }
  return undefined;
}

function read(path: string, format: BookFormat): BookMetadata | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size > 0 ? looks[format](windowOn(descriptor, stat.size)).metadata : undefined;
  } catch (thrown) {
    // A twin that is not there, or cannot be read, says nothing.
    if (thrown instanceof UnreadableBook || (thrown as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw thrown;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function windowOn(descriptor: number, sizeBytes: number): LookedAt {
  let total = 0;
  const read = (offset: number, length: number) => {
    total += length;
    if (total > mostReadBytes) throw new UnreadableBook("Too much of the file would be read.");
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
  };
  return { sizeBytes, read, head: read(0, Math.min(headBytes, sizeBytes)) };
}
