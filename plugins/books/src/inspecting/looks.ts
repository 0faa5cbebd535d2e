import type { BookFormat } from "../formats/book-formats.js";
import type { BookLook } from "./book-metadata.js";
import type { LookedAt } from "./looked-at.js";
import { inspectEpub } from "./epub/inspect-epub.js";
import { inspectFictionBook, inspectPackedFictionBook } from "./fb2/fiction-book.js";
import { inspectText } from "./inspect-text.js";
import { inspectMobi } from "./mobi/inspect-mobi.js";
import { inspectPdf } from "./pdf/inspect-pdf.js";

/** How a file of each format is read. All throw {@link UnreadableBook}. */
export const looks: Readonly<Record<BookFormat, (file: LookedAt) => BookLook>> = {
  epub: inspectEpub,
  azw3: inspectMobi,
  mobi: inspectMobi,
  fb2: inspectFictionBook,
  fbz: inspectPackedFictionBook,
  pdf: inspectPdf,
  txt: inspectText,
};
