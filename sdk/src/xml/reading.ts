import { SaxesParser } from "saxes";
import { decodeXml } from "./decode.js";
import { usualXmlLimits, XmlRefused, type XmlLimits } from "./limits.js";

/** An element as it begins. Names keep their prefix, as written. */
export interface XmlStart {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** 0 for the root. */
  readonly depth: number;
}

/** What is told of a document while it is read. */
export interface XmlEvents {
  open?(element: XmlStart): void;
  /** A piece of text directly inside an element; one text may come in several pieces. */
  text?(text: string, depth: number): void;
  close?(name: string, depth: number): void;
}

export interface XmlOptions {
  readonly limits?: Partial<XmlLimits>;
  /** Refuses documents that declare a document type. Entities of their own are never followed either way. */
  readonly refuseDoctype?: boolean;
  /** Stops the reading between two pieces. */
  readonly signal?: AbortSignal;
}

/** Read before the limits and the signal are looked at. */
const pieceLength = 64 * 1024;

/**
 * Reads an XML document within limits, and tells of it piece by piece. For worker threads, and for documents of at most
 * 64 kB: it does not return before the document ends.
 * @throws {XmlRefused}
 */
export function readXml(bytes: Uint8Array, events: XmlEvents, options: XmlOptions = {}): void {
  for (const _ of readXmlInPieces(bytes, events, options)) options.signal?.throwIfAborted();
}

/** The same, a piece at a time, so that others get a turn between two. @throws {XmlRefused} */
export function* readXmlInPieces(bytes: Uint8Array, events: XmlEvents, options: XmlOptions = {}): Generator<void> {
  const limits = { ...usualXmlLimits, ...options.limits };
  if (bytes.length > limits.bytes)
    throw new XmlRefused("bytes", `The document is larger than ${limits.bytes.toLocaleString("en")} bytes.`);
  const strict = limits.errors === 0;
  const text = decodeXml(bytes, { strict });
  const reading = new Reading(events, limits, options.refuseDoctype ?? false);
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = text.slice(at, at + pieceLength);
    reading.write(strict ? piece : repaired(piece, text, at));
    yield;
  }
  reading.close();
}

/** One document on its way through the parser. */
class Reading {
  readonly #parser = new SaxesParser({ position: false });
  #depth = 0;
  #elements = 0;
  #attributes = 0;
  #errors = 0;
  #textLength = 0;

  constructor(
    private readonly events: XmlEvents,
    private readonly limits: XmlLimits,
    refuseDoctype: boolean,
  ) {
    // At most seven handlers: with an eighth, V8 keeps the parser's properties in a dictionary, and reading takes four
    // times as long (measured with Node 24).
    this.#parser.on("error", (fault) => this.#fault(fault));
    this.#parser.on("attribute", () => this.#attribute());
    this.#parser.on("opentag", ({ name, attributes }) => this.#open(name, attributes as Record<string, string>));
    this.#parser.on("closetag", ({ name }) => this.#close(name));
    this.#parser.on("text", (text) => this.#text(text));
    this.#parser.on("cdata", (text) => this.#text(text));
    this.#parser.on("doctype", () => {
      if (refuseDoctype) throw new XmlRefused("doctype", "The document declares a document type.");
    });
  }

  write(piece: string): void {
    this.#parser.write(piece);
    this.#cutHeldText();
  }

  /**
   * The parser appends some texts character by character, and holds 32 bytes for each of them until the text ends: a
   * CDATA section of 4 MB of brackets takes 128 MB. Nothing beyond the limit is handed on, so nothing beyond it is
   * held.
   */
  #cutHeldText(): void {
    const held = this.#parser as unknown as { text: string };
    if (held.text.length > this.limits.textLength) held.text = held.text.slice(0, this.limits.textLength);
  }

  close(): void {
    this.#parser.close();
  }

  #fault(fault: Error): void {
    if (++this.#errors <= this.limits.errors) return;
    const what = fault.message.replace(/\.$/, "").slice(0, 200);
    throw new XmlRefused("errors", `The document is not well-formed: ${what}.`, { cause: fault });
  }

  #attribute(): void {
    if (++this.#attributes > this.limits.attributes)
      throw new XmlRefused("attributes", `An element has more than ${this.limits.attributes} attributes.`);
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#attributes = 0;
    if (++this.#elements > this.limits.elements)
      throw new XmlRefused("elements", `The document holds more than ${this.limits.elements} elements.`);
    if (this.#depth >= this.limits.depth)
      throw new XmlRefused("depth", `The document nests elements deeper than ${this.limits.depth}.`);
    this.#textLength = 0;
    for (const key in attributes)
      if (attributes[key]!.length > this.limits.textLength)
        attributes[key] = attributes[key]!.slice(0, this.limits.textLength);
    this.events.open?.({ name, attributes, depth: this.#depth });
    this.#depth++;
  }

  #close(name: string): void {
    this.#textLength = 0;
    if (this.#depth > 0) this.#depth--;
    this.events.close?.(name, this.#depth);
  }

  #text(text: string): void {
    const room = this.limits.textLength - this.#textLength;
    if (room <= 0 || this.#depth === 0) return;
    this.#textLength += text.length;
    this.events.text?.(text.slice(0, room), this.#depth - 1);
  }
}

const strayAmpersand = /&(?!(?:#\d{1,8}|#x[0-9A-Fa-f]{1,8}|[A-Za-z][A-Za-z0-9]{0,31});)/g;
const longestEntity = 34;

/**
 * An ampersand that begins no entity is meant as itself. One near the end of a piece is judged by what follows there.
 */
function repaired(piece: string, whole: string, at: number): string {
  if (!piece.includes("&")) return piece;
  const ahead = whole.slice(at + piece.length, at + piece.length + longestEntity);
  return (piece + ahead)
    .replace(strayAmpersand, (match, offset: number) => (offset < piece.length ? "&amp;" : match))
    .slice(0, ahead.length === 0 ? undefined : -ahead.length);
}
