import { readXmlTree, unlessRefused, type XmlElement } from "@longbox/sdk/xml";
import type { BookMetadata } from "../book-metadata.js";
import { dateOf, isbnOf, languageOf, lineOf, plainDescription, positionOf } from "../values.js";

/** Metadata of XMP in a PDF, which stands there as it is in most; undefined without any that says a title. */
export function readXmp(bytes: Buffer): BookMetadata | undefined {
  const begin = bytes.lastIndexOf("<x:xmpmeta");
  const end = begin === -1 ? -1 : bytes.indexOf("</x:xmpmeta>", begin);
  if (end === -1) return undefined;
  const root = unlessRefused(() => readXmlTree(bytes.subarray(begin, end + "</x:xmpmeta>".length)));
  const metadata = root && metadataOf(root);
  return metadata?.title === undefined ? undefined : metadata;
}

function metadataOf(root: XmlElement): BookMetadata {
  const texts = (name: string) => find(root, name).flatMap((element) => leaves(element));
  const first = (name: string) => texts(name)[0];
  const isbn = isbnOf(first("prism:isbn") ?? first("pdfx:isbn"));
  return {
    title: lineOf(first("dc:title")),
    people: texts("dc:creator").flatMap((text) => {
      const name = lineOf(text);
      return name === undefined ? [] : [{ name, role: "author" }];
    }),
    language: languageOf(first("dc:language")),
    publisher: lineOf(first("dc:publisher")),
    date: dateOf(first("dc:date") ?? first("xmp:CreateDate")),
    description: plainDescription(first("dc:description")),
    subjects: texts("dc:subject").flatMap((text) => lineOf(text) ?? []),
    series: seriesOf(root),
    ids: isbn === undefined ? {} : { isbn },
  };
}

/** As calibre writes it: a value and, beside it, the position. */
function seriesOf(root: XmlElement): BookMetadata["series"] {
  const [series] = find(root, "calibre:series");
  const [value] = series ? find(series, "rdf:value") : [];
  const name = lineOf(value?.text ?? series?.text);
  const [index] = series ? find(series, "calibreSI:series_index") : [];
  return name === undefined ? undefined : { name, number: positionOf(index?.text) };
}

/** Elements of this name, wherever they stand; XMP uses the same prefixes everywhere. */
function find(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : find(child, name)));
}

function leaves(element: XmlElement): string[] {
  if (element.children.length > 0) return element.children.flatMap((child) => leaves(child));
  return element.text === "" ? [] : [element.text];
}
