import { EPUB } from "foliate-js/epub.js";
import { makeFB2 } from "foliate-js/fb2.js";
import { isMOBI, MOBI } from "foliate-js/mobi.js";
import { unzlibSync } from "fflate";
import { readMixedLayout } from "./mixed-layout.js";
import { sha1 } from "./sha1.js";
import { openText } from "./text-book.js";
import { openZip } from "./zip-loader.js";

declare global {
  /** Put there by `pdf.js`, which the page sends along with a book that is a PDF. */
  var longboxPdf: ((file: Blob) => Promise<FoliateBook>) | undefined;
}

/** Reads a book of any format, which is told by its first bytes. @throws {Error} with a message for the reader */
export async function openBook(file: Blob, name: string): Promise<FoliateBook> {
  const head = new TextDecoder("latin1").decode(await file.slice(0, 1024).arrayBuffer());
  if (head.startsWith("PK\u0003\u0004")) return openArchive(file);
  if (head.startsWith("%PDF-") && globalThis.longboxPdf) return globalThis.longboxPdf(file);
  if (await isMOBI(file)) return new MOBI({ unzlib: unzlibSync }).open(file);
  if (/<FictionBook[\s>]/.test(head) || /\.fb2$/i.test(name)) return makeFB2(file);
  if (head.includes("\u0000") && !/^(?:\xff\xfe|\xfe\xff)/.test(head))
    throw new Error("This file is of a kind that the reader does not know.");
  return openText(file, name);
}

async function openArchive(file: Blob): Promise<FoliateBook> {
  const zip = await openZip(file);
  const inside = zip.names.find((entry) => /\.fb2$/i.test(entry));
  if (inside !== undefined && !zip.names.includes("META-INF/container.xml")) {
    const blob = await zip.loadBlob(inside);
    if (blob) return makeFB2(blob);
  }
  const book = await new EPUB({ ...zip, sha1 }).init();
  readMixedLayout(book);
  return book;
}
