import type { BookFormat } from "../formats/book-formats.js";
import type { LookedAt } from "../inspecting/looked-at.js";
import { openDescriptor, type OpenDescriptor } from "../inspecting/open-descriptor.js";
import { UnreadableBook } from "../inspecting/unreadable.js";
import { arranged, type BookChapter } from "./book-chapter.js";
import { epubChapters } from "./epub-chapters.js";
import { fictionBookChapters, packedFictionBookChapters } from "./fiction-book-chapters.js";
import { mobiChapters } from "./mobi-chapters.js";

export interface ChaptersRequest extends OpenDescriptor {
  readonly format: string;
}

type File = Pick<LookedAt, "sizeBytes" | "read">;

const byFormat: Readonly<Partial<Record<BookFormat, (file: File) => BookChapter[]>>> = {
  epub: epubChapters,
  azw3: mobiChapters,
  mobi: mobiChapters,
  fb2: fictionBookChapters,
  fbz: packedFictionBookChapters,
};

/** Formats whose chapters are read. */
export const hasChapters = (format: string | undefined): format is string => Object.hasOwn(byFormat, format ?? "");

/** The chapters of a book by its table of contents; empty for a book without one. For threads. */
export function findChapters({ format, ...request }: ChaptersRequest): BookChapter[] {
  const read = byFormat[format as BookFormat];
  if (!read) return [];
  try {
    return arranged(read(openDescriptor(request)));
  } catch (thrown) {
    if (thrown instanceof UnreadableBook) return [];
    throw thrown;
  }
}
