// The module that the scanning thread of `files` imports: see `FileFormat.inspector` in its contract.
import type { FormatInspector, InspectedFile } from "@longbox/files/contract";
import type { BookFormat } from "./formats/book-formats.js";
import type { BookLook } from "./inspecting/book-metadata.js";
import { inspectEpub } from "./inspecting/epub/inspect-epub.js";
import { inspectFictionBook, inspectPackedFictionBook } from "./inspecting/fb2/fiction-book.js";
import { inspectMobi, mobiVersion } from "./inspecting/mobi/inspect-mobi.js";
import { inspectPdf } from "./inspecting/pdf/inspect-pdf.js";
import { inspectionOf, unreadable } from "./inspecting/inspection.js";
import { inspectText } from "./inspecting/inspect-text.js";

const zipStart = Buffer.from("PK\x03\x04", "latin1");

const isZip = (head: Buffer) => head.subarray(0, 4).equals(zipStart);
const isMarkup = (head: Buffer) => head.subarray(0, 64).includes("<");
const endsWith = (name: string, ...endings: string[]) => endings.some((ending) => name.toLowerCase().endsWith(ending));

export const inspectors: Readonly<Record<BookFormat, FormatInspector>> = {
  epub: inspectorOf(({ name, head }) => isZip(head) && endsWith(name, ".epub", ".kepub"), inspectEpub),
  azw3: inspectorOf(
    ({ name, head }) => mobiVersion(head) === 8 || (endsWith(name, ".azw3") && mobiVersion(head) !== undefined),
    inspectMobi,
  ),
  mobi: inspectorOf(({ head }) => mobiVersion(head) !== undefined, inspectMobi),
  fb2: inspectorOf(({ name, head }) => endsWith(name, ".fb2") && isMarkup(head), inspectFictionBook),
  fbz: inspectorOf(({ name, head }) => isZip(head) && endsWith(name, ".fbz", ".fb2.zip"), inspectPackedFictionBook),
  pdf: inspectorOf(({ head }) => head.subarray(0, 1024).includes("%PDF-"), inspectPdf),
  txt: inspectorOf(({ name, head }) => endsWith(name, ".txt") && head.length > 0 && !head.includes(0), inspectText),
};

function inspectorOf(matches: FormatInspector["matches"], look: (file: InspectedFile) => BookLook): FormatInspector {
  return {
    matches,
    inspect(file) {
      try {
        return inspectionOf(file, look(file));
      } catch (thrown) {
        return unreadable(file, thrown);
      }
    },
  };
}
