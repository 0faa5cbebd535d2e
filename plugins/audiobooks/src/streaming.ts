import type { FilesContent, SendableFile } from "@longbox/files/contract";
import { FileGone, NoSuchPart, PartsOnly } from "./audiobook-errors.js";
import type { BookFiles } from "./audiobooks.js";
import { canBeJoined, joinedParts } from "./joined-parts.js";

/**
 * The bytes of a book, or of one of its files.
 * @param part - counted from 0; without it the whole book
 * @throws {FileGone} @throws {NoSuchPart} @throws {PartsOnly}
 */
export async function streamOf(
  files: Pick<FilesContent, "open" | "send">,
  book: BookFiles,
  part: number | undefined,
): Promise<SendableFile> {
  if (part === undefined && book.parts.length > 1) {
    if (!canBeJoined(book)) throw new PartsOnly(book.parts.length);
    return joinedParts(files, book);
  }
  const wanted = book.parts[part ?? 0];
  if (!wanted) throw new NoSuchPart(book.parts.length);
  const sent = await files.send(wanted);
  if (!sent) throw new FileGone();
  return sent;
}
