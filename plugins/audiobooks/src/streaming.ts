import type { SendableFile } from "@longbox/files/contract";
import { NoSuchPart, PartsOnly } from "./audiobook-errors.js";
import type { BookFiles, BookPart } from "./audiobooks.js";
import { canBeJoined, joinedParts } from "./joined-parts.js";
import type { OpenParts } from "./open-parts.js";
import { readRanges } from "./sound-bytes.js";

/**
 * The bytes of a book, or of one of its files.
 * @param part - counted from 0; without it the whole book
 * @throws {FileGone} @throws {NoSuchPart} @throws {PartsOnly}
 */
export async function streamOf(parts: OpenParts, book: BookFiles, part: number | undefined): Promise<SendableFile> {
  if (part === undefined && book.parts.length > 1) {
    if (!canBeJoined(book)) throw new PartsOnly(book.parts.length);
    return joinedParts(parts, book);
  }
  const wanted = book.parts[part ?? 0];
  if (!wanted) throw new NoSuchPart(book.parts.length);
  return wholePart(parts, wanted);
}

function wholePart(parts: OpenParts, { path, contentType }: BookPart): Promise<SendableFile> {
  return parts.use(path, async ({ sizeBytes, validator, modifiedAt }) => ({
    content: {
      kind: "ranges",
      sizeBytes,
      contentType,
      read: (start, end) => readRanges(parts, [{ path, start, end, isSame: (file) => file.validator === validator }]),
    },
    validator,
    lastModified: modifiedAt,
  }));
}
