import { readXml, XmlRefused, type XmlEvents, type XmlOptions } from "@longbox/sdk/xml";
import { damaged } from "../unreadable.js";

/** One document; that of a book with some thousand files has half of it. */
export const largestDocumentBytes = 4 * 1024 * 1024;
const limits = { bytes: largestDocumentBytes, elements: 100_000, depth: 64, errors: 1000 };
const mostMetadata = 5000;

type Attributes = Readonly<Record<string, string>>;

/** An element of the metadata, by its name without a prefix. */
export interface MetadataElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly text: string;
}

export interface ManifestItem {
  readonly id: string;
  /** As it is written: percent-encoded, relative to the package document. */
  readonly href: string;
  readonly mediaType: string;
  readonly properties: readonly string[];
}

/** What a package document holds; also one that lies beside a book (`metadata.opf`). */
export interface PackageDocument {
  readonly metadata: readonly MetadataElement[];
  readonly items: ReadonlyMap<string, ManifestItem>;
  /** Ids of items in reading order. */
  readonly spine: readonly string[];
  /** Where the guide says that the cover is. */
  readonly guideCover: string | undefined;
  readonly rightToLeft: boolean;
}

/** Reads a document of XML. Entities that it declares are never expanded. @throws {UnreadableBook} */
export function readDocument(bytes: Uint8Array, events: XmlEvents, options: XmlOptions = {}): void {
  try {
    readXml(bytes, events, { limits, ...options });
  } catch (thrown) {
    if (!(thrown instanceof XmlRefused)) throw thrown;
    throw damaged("a document in it cannot be read", { cause: thrown });
  }
}

/** @throws {UnreadableBook} */
export function readPackageDocument(bytes: Uint8Array): PackageDocument {
  const reading = new PackageReading();
  readDocument(bytes, {
    open: ({ name, attributes }) => reading.open(localName(name), attributes),
    text: (text) => reading.text(text),
    close: (name) => reading.close(localName(name)),
  });
  return reading;
}

class PackageReading implements PackageDocument {
  readonly metadata: MetadataElement[] = [];
  readonly items = new Map<string, ManifestItem>();
  readonly spine: string[] = [];
  guideCover: string | undefined;
  rightToLeft = false;
  #inMetadata = false;
  #current: { name: string; attributes: Attributes; text: string } | undefined;

  open(name: string, attributes: Attributes): void {
    if (name === "metadata") this.#inMetadata = true;
    else if (this.#inMetadata) this.#current = { name, attributes, text: "" };
    else if (name === "item") this.#addItem(attributes);
    else if (name === "spine") this.rightToLeft = attributes["page-progression-direction"] === "rtl";
    else if (name === "itemref" && attributes["idref"] !== undefined) this.spine.push(attributes["idref"]);
    else if (name === "reference" && attributes["type"]?.toLowerCase() === "cover")
      this.guideCover ??= attributes["href"];
  }

  text(text: string): void {
    if (this.#current) this.#current.text += text;
  }

  close(name: string): void {
    if (this.#current?.name === name) {
      if (this.metadata.length < mostMetadata)
        this.metadata.push({ ...this.#current, text: this.#current.text.trim() });
      this.#current = undefined;
    } else if (name === "metadata") this.#inMetadata = false;
  }

  #addItem({ id, href, "media-type": mediaType = "", properties = "" }: Attributes): void {
    if (id === undefined || href === undefined || this.items.has(id)) return;
    this.items.set(id, { id, href, mediaType: mediaType.toLowerCase(), properties: properties.split(/\s+/u) });
  }
}

/** Names of elements and attributes come with and without a prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** An attribute by its name without a prefix: `role` finds `opf:role`. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? attributes[`opf:${name}`];
}
