import { getDocument, type PDFDocumentProxy } from "pdfjs-dist";
import * as worker from "pdfjs-dist/build/pdf.worker.mjs";
import { pageSection } from "./pages.js";

/** pdf.js runs in the frame of the book itself, which may start no worker; the frame has no other work. */
Object.assign(globalThis, { pdfjsWorker: worker });

type Outline = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>;

/** A PDF as the engine's book of fixed layout: each page is a section. */
globalThis.longboxPdf = async (file: Blob): Promise<FoliateBook> => {
  const data = new Uint8Array(await file.arrayBuffer());
  // Nothing of a PDF is run, and nothing that it names is loaded.
  const loading = getDocument({ data, enableXfa: false, useWasm: false, useWorkerFetch: false });
  const pdf = await loading.promise;
  return {
    rendition: { layout: "pre-paginated", spread: "none" },
    metadata: await metadataOf(pdf),
    sections: Array.from({ length: pdf.numPages }, (_, index) => pageSection(pdf, index)),
    toc: chaptersOf(await pdf.getOutline()),
    resolveHref: async (href) => ({ index: await pageOf(pdf, href), anchor: () => 0 }),
    splitTOCHref: async (href) => [await pageOf(pdf, href)],
    getTOCFragment: (document) => document.documentElement,
    isExternal: () => false,
    destroy: () => void loading.destroy(),
  };
};

async function metadataOf(pdf: PDFDocumentProxy): Promise<NonNullable<FoliateBook["metadata"]>> {
  const { info } = await pdf.getMetadata();
  const { Title: title, Author: author, Language: language } = info as Record<string, unknown>;
  return { title, author, language };
}

function chaptersOf(outline: Outline): FoliateChapter[] {
  return (outline ?? []).map(({ title, dest, items }) => ({
    label: title,
    href: dest === null ? null : JSON.stringify(dest),
    subitems: chaptersOf(items as Outline),
  }));
}

/** The page of a destination, as the outline has it; the first where it leads nowhere. */
async function pageOf(pdf: PDFDocumentProxy, href: string | null | undefined): Promise<number> {
  try {
    const named: unknown = JSON.parse(href ?? "null");
    const [target] = (typeof named === "string" ? await pdf.getDestination(named) : (named as unknown[] | null)) ?? [];
    if (typeof target === "number") return target;
    return await pdf.getPageIndex(target as Parameters<PDFDocumentProxy["getPageIndex"]>[0]);
  } catch {
    // Outlines often name pages that there are not.
    return 0;
  }
}
