import { zip } from "@longbox/test/fixtures";

export interface EpubItem {
  readonly href: string;
  readonly mediaType?: string;
  /** Properties of the item in the spine. */
  readonly properties?: string;
}

export interface EpubOptions {
  /** The spine, in reading order. */
  readonly spine: readonly EpubItem[];
  /** Files by path, besides the container and the package document. */
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  /** Whole `meta` elements; by default the one of fixed layout. */
  readonly metadata?: string;
  /** Attributes of `spine`. */
  readonly direction?: string;
  /** Stands before the package document's root. */
  readonly prologue?: string;
  /** Leaves the package document out of the container, or puts another one in. */
  readonly packageDocument?: string;
  readonly container?: string | undefined;
}

export const fixedLayout = '<meta property="rendition:layout">pre-paginated</meta>';
const containerXml =
  '<container><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';

/** A document of the spine whose body is this. */
export function xhtml(body: string): string {
  return `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>&nbsp;</title></head><body>${body}</body></html>`;
}

/** Packs an EPUB whose documents lie in `OEBPS`. */
export function epub(options: EpubOptions): Uint8Array {
  const { files, container = containerXml } = options;
  const bytes = (content: Uint8Array | string) => (typeof content === "string" ? Buffer.from(content) : content);
  return zip(
    new Map<string, Uint8Array>([
      ["mimetype", Buffer.from("application/epub+zip")],
      ...(container === "" ? [] : [["META-INF/container.xml", Buffer.from(container)] as const]),
      ["OEBPS/content.opf", Buffer.from(options.packageDocument ?? packageDocument(options))],
      ...Object.entries(files).map(([path, content]) => [path, bytes(content)] as const),
    ]),
  );
}

function packageDocument({ spine, metadata = fixedLayout, direction = "", prologue = "" }: EpubOptions): string {
  const items = spine.map(
    ({ href, mediaType = "application/xhtml+xml" }, index) =>
      `<item id="i${index}" href="${href}" media-type="${mediaType}"/>`,
  );
  const references = spine.map(
    ({ properties }, index) => `<itemref idref="i${index}"${properties ? ` properties="${properties}"` : ""}/>`,
  );
  return `<?xml version="1.0"?>${prologue}<package><metadata>${metadata}</metadata><manifest>${items.join("")}</manifest><spine ${direction}>${references.join("")}</spine></package>`;
}
