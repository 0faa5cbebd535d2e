// The module that the scanning thread of `files` imports: see `FileFormat.inspector` in its contract.
import type { FormatInspector } from "@longbox/files/contract";
import type { BookFormat } from "./formats/book-formats.js";
import { inspectionOf, unreadable } from "./inspecting/inspection.js";
import { looks } from "./inspecting/looks.js";
import { mobiVersion } from "./inspecting/mobi/inspect-mobi.js";

const zipStart = Buffer.from("PK\x03\x04", "latin1");

const isZip = (head: Buffer) => head.subarray(0, 4).equals(zipStart);
const isMarkup = (head: Buffer) => head.subarray(0, 64).includes("<");
const endsWith = (name: string, ...endings: string[]) => endings.some((ending) => name.toLowerCase().endsWith(ending));

/** By the first bytes, and by the name where those say too little. */
const matches: Readonly<Record<BookFormat, FormatInspector["matches"]>> = {
  epub: ({ name, head }) => isZip(head) && endsWith(name, ".epub", ".kepub"),
  azw3: ({ name, head }) => mobiVersion(head) === 8 || (endsWith(name, ".azw3") && mobiVersion(head) !== undefined),
  mobi: ({ head }) => mobiVersion(head) !== undefined,
  fb2: ({ name, head }) => endsWith(name, ".fb2") && isMarkup(head),
  fbz: ({ name, head }) => isZip(head) && endsWith(name, ".fbz", ".fb2.zip"),
  pdf: ({ head }) => head.subarray(0, 1024).includes("%PDF-"),
  txt: ({ name, head }) => endsWith(name, ".txt") && head.length > 0 && !head.includes(0),
};

export const inspectors: Readonly<Record<string, FormatInspector>> = Object.fromEntries(
  Object.entries(looks).map(([format, look]) => [format, inspectorOf(format as BookFormat, look)]),
);

function inspectorOf(format: BookFormat, look: (typeof looks)[BookFormat]): FormatInspector {
  return {
    matches: matches[format],
    inspect(file) {
      try {
        return inspectionOf(file, format, look(file));
      } catch (thrown) {
        return unreadable(file, thrown);
      }
    },
  };
}
