import { readFile, stat } from "node:fs/promises";
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from "pdfjs-dist";
import { UnreadableArchive } from "../unreadable.js";
import { drawPdfPage } from "./pdf-page.js";

/** A PDF is read into memory whole. */
const largestPdfBytes = 600 * 1024 * 1024;

interface OpenPdf {
  readonly key: string;
  readonly loading: PDFDocumentLoadingTask;
  readonly document: PDFDocumentProxy;
}

/** The document that was read last: a reader asks for one page after the other. It goes with the thread. */
let last: OpenPdf | undefined;

/** How many pages a PDF has. @throws {UnreadableArchive} */
export async function countPdfPages(path: string): Promise<number> {
  const { loading, document } = await openPdf(path, "");
  const { numPages } = document;
  await loading.destroy();
  return numPages;
}

/** A page, counted from 0, as JPEG. @throws {UnreadableArchive} */
export async function readPdfPage(path: string, page: number): Promise<Uint8Array> {
  const { size, mtimeMs } = await stat(path);
  const key = `${path}\n${size}\n${mtimeMs}`;
  if (last?.key !== key) {
    const former = last;
    last = undefined;
    await former?.loading.destroy();
    last = await openPdf(path, key);
  }
  return drawPdfPage(last.document, page);
}

async function openPdf(path: string, key: string): Promise<OpenPdf> {
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  if ((await stat(path)).size > largestPdfBytes) throw new UnreadableArchive("too-large", "The file is too large to be read.");
  const loading = getDocument({
    data: new Uint8Array(await readFile(path)),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWorkerFetch: false,
  });
  try {
    return { key, loading, document: await loading.promise };
  } catch (thrown) {
    await loading.destroy();
    if ((thrown as Error).name === "PasswordException") throw new UnreadableArchive("encrypted", "The file is protected by a password.", { cause: thrown });
    throw new UnreadableArchive("damaged", "The PDF is damaged.", { cause: thrown });
  }
}
