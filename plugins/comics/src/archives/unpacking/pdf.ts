import { realpath, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from "pdfjs-dist";
import { UnreadableArchive } from "../unreadable.js";
import { pdfAids } from "./pdf-aids.js";
import { drawPdfPage } from "./pdf-page.js";
import { refusingLargeImages } from "./pdf-warnings.js";

const mostPages = 20_000;
/** A sheet of A4 at 600 dots to the inch has 35 million. */
const mostImagePixels = 60_000_000;

interface OpenPdf {
  readonly key: string;
  readonly loading: PDFDocumentLoadingTask;
  readonly document: PDFDocumentProxy;
}

/** The document that was read last, because readers request one page after the other. It is freed with the thread. */
let last: OpenPdf | undefined;

/** How many pages a PDF has. @throws {UnreadableArchive} */
export async function countPdfPages(path: string): Promise<number> {
  const { loading, document } = await openPdf(path, "");
  const { numPages } = document;
  await loading.destroy();
  // The number comes from the file, and may be wrong.
  return Math.max(0, numPages);
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
  try {
    const { document } = last;
    return await refusingLargeImages(() => drawPdfPage(document, page));
  } catch (thrown) {
    // A library that is missing is not the file's fault.
    if (thrown instanceof UnreadableArchive || thrown instanceof ReferenceError) throw thrown;
    throw new UnreadableArchive("damaged", "This page of the PDF is damaged.", { cause: thrown });
  }
}

async function openPdf(path: string, key: string): Promise<OpenPdf> {
  const loading = getDocument({
    // Only the parts that are needed are read. For a link, its own size would be measured instead of the file's.
    url: pathToFileURL(await realpath(path)).href,
    disableAutoFetch: true,
    disableStream: true,
    rangeChunkSize: 256 * 1024,
    maxImageSize: mostImagePixels,
    verbosity: VerbosityLevel.WARNINGS,
    standardFontDataUrl: pdfAids("standard_fonts"),
    cMapUrl: pdfAids("cmaps"),
    wasmUrl: pdfAids("wasm"),
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
  });
  try {
    const document = await loading.promise;
    if (document.numPages > mostPages)
      throw new UnreadableArchive("too-large", "The PDF has too many pages to be a comic.");
    return { key, loading, document };
  } catch (thrown) {
    await loading.destroy();
    throw translated(thrown);
  }
}

function translated(thrown: unknown): UnreadableArchive {
  if (thrown instanceof UnreadableArchive) return thrown;
  if ((thrown as Error).name === "PasswordException")
    return new UnreadableArchive("encrypted", "The file is protected by a password.", { cause: thrown });
  return new UnreadableArchive("damaged", "The PDF is damaged.", { cause: thrown });
}
