import type { OpenedFile, SendableFile } from "@longbox/files/contract";
import type { Content } from "@longbox/sdk";
import { NoSuchPart, PartsOnly } from "../audiobook-errors.js";
import type { BookFiles, BookPart } from "../audiobooks.js";
import type { ConversionRequest, Conversions } from "../converting/conversions.js";
import { canBeJoined, joinedParts } from "./joined-parts.js";
import type { OpenParts } from "./open-parts.js";
import { readRanges } from "./sound-bytes.js";

/** The bytes of books and of their files. */
export class Sounds {
  /** A player asks for many ranges of the same files, as long as nothing changes. */
  readonly #joined = new WeakMap<BookFiles, SendableFile>();

  constructor(readonly parts: OpenParts) {}

  /**
   * The bytes of a book, or of one of its files.
   * @param part - counted from 0; without it the whole book
   * @throws {FileGone} @throws {NoSuchPart} @throws {PartsOnly}
   */
  async open(book: BookFiles, part: number | undefined): Promise<SendableFile> {
    if (part === undefined && book.parts.length > 1) return this.#join(book);
    const wanted = book.parts[part ?? 0];
    if (!wanted) throw new NoSuchPart(book.parts.length);
    return wholePart(this.parts, wanted);
  }

  #join(book: BookFiles): SendableFile {
    if (!canBeJoined(book)) throw new PartsOnly(book.parts.length);
    const known = this.#joined.get(book);
    if (known) return known;
    const joined = joinedParts(this.parts, book);
    this.#joined.set(book, joined);
    return joined;
  }
}

function wholePart(parts: OpenParts, { path, contentType }: BookPart): Promise<SendableFile> {
  return parts.use(path, async ({ sizeBytes, validator, modifiedAt }) => ({
    content: {
      kind: "filled",
      sizeBytes,
      contentType,
      fill(target, start) {
        const end = start + target.length - 1;
        const range = { path, start, end, isSame: (file: OpenedFile) => file.validator === validator };
        return readRanges(parts, [range], target);
      },
    },
    validator,
    lastModified: modifiedAt,
  }));
}

/**
 * One file of a book as MP3, from a time in it.
 * @throws {FileGone} @throws {NoSuchPart} @throws {CannotConvert} @throws {ConvertingTooMuch}
 */
export function convertedPart(
  { parts, conversions }: { readonly parts: OpenParts; readonly conversions: Conversions },
  book: BookFiles,
  { part, from, signal }: { readonly part: number } & Omit<ConversionRequest, "path">,
): Promise<Content> {
  const wanted = book.parts[part];
  if (!wanted) throw new NoSuchPart(book.parts.length);
  return parts.use(wanted.path, async ({ path }) => conversions.start({ path, from, signal }));
}
