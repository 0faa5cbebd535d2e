import type { FilesContent, SendableFile } from "@longbox/files/contract";
import type { Viewer } from "@longbox/sdk";
import { BookNotFound, FormatNotFound } from "../books-errors.js";
import type { Book, BookFile } from "./book.js";
import type { FindingBooks } from "./finding-books.js";

interface Parts {
  readonly books: FindingBooks;
  readonly files: FilesContent;
}

/** A file of a book as an answer. */
export interface SentBook extends SendableFile {
  readonly name: string;
  readonly contentType: string;
}

/** Books as files. */
export class SendingBooks {
  constructor(private readonly parts: Parts) {}

  /**
   * @param format - undefined for the best to read
   * @throws {BookNotFound}
   * @throws {FormatNotFound}
   * @throws {RemoteBookGone}
   * @throws {RemoteSourceFailed}
   */
  async open(id: number, format: string | undefined, viewer: Viewer): Promise<SentBook> {
    const book = await this.parts.books.get(id, viewer);
    for (const file of ofFormat(book, format)) {
      // Undefined when the file has left its place since the last scan.
      const sent = await this.parts.files.send(file);
      if (sent) return { ...sent, name: file.name, contentType: file.contentType };
    }
    throw new BookNotFound(id);
  }
}

/** @throws {FormatNotFound} */
function ofFormat({ files }: Book, format: string | undefined): readonly BookFile[] {
  const found = format === undefined ? files : files.filter((file) => file.format === format);
  if (found.length === 0) throw new FormatNotFound(format ?? "", [...new Set(files.map((file) => file.format))]);
  return found;
}
