import { setImmediate as turn } from "node:timers/promises";
import { SaxesParser, type SaxesAttributePlain } from "saxes";
import { BadField } from "../errors.js";
import { decodeXml } from "./decode.js";
import type { Book, ListFile } from "./list-file.js";

/** A list file is shallow: ReadingList, Books, Book, Database. Matchers of smart lists go a little deeper. */
const most = { depth: 24, books: 20_000, text: 500 };
/** Parsed before others get a turn. */
const pieceLength = 64 * 1024;

type Attributes = Record<string, string>;
type Open = { -readonly [K in keyof Book]: Book[K] };

/**
 * Reads a ComicRack reading list. Entities of its own, document types and anything that is not well-formed are refused.
 * @throws {BadField} naming `body`
 */
export async function readListFile(bytes: Uint8Array, signal?: AbortSignal): Promise<ListFile> {
  if (bytes.length === 0) throw new BadField("body", "is empty");
  const text = decodeXml(bytes);
  const reading = new Reading();
  for (let start = 0; start < text.length; start += pieceLength) {
    signal?.throwIfAborted();
    reading.write(text.slice(start, start + pieceLength));
    await turn();
  }
  return reading.end();
}

class Reading {
  readonly #parser = new SaxesParser({ position: false });
  readonly #path: string[] = [];
  readonly #books: Book[] = [];
  #name: string | undefined;
  #book: Open | undefined;
  #smart = false;

  constructor() {
    this.#parser.on("error", (fault) => {
      throw new BadField("body", `is not well-formed XML: ${fault.message.replace(/\.$/, "").slice(0, 200)}`);
    });
    this.#parser.on("doctype", () => {
      throw new BadField("body", "declares a document type, which list files have no use for");
    });
    this.#parser.on("opentag", ({ name, attributes }) => this.#open(name, attributes as Record<string, SaxesAttributePlain | string> as Attributes));
    this.#parser.on("closetag", () => this.#close());
    this.#parser.on("text", (text) => this.#text(text));
    this.#parser.on("cdata", (text) => this.#text(text));
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): ListFile {
    this.#parser.close();
    if (this.#books.length === 0) throw new BadField("body", this.#smart ? "is a smart list: it has rules and no books" : "holds no books");
    return { name: this.#name?.trim() || undefined, books: this.#books };
  }

  #open(name: string, attributes: Attributes): void {
    if (this.#path.length >= most.depth) throw new BadField("body", `nests elements deeper than ${most.depth}`);
    if (this.#path.length === 0 && name !== "ReadingList") throw new BadField("body", `is not a reading list: its root is ${name.slice(0, 60)}, not ReadingList`);
    this.#path.push(name);
    const place = this.#path.join("/");
    if (place === "ReadingList/Books/Book") this.#begin(attributes);
    else if (place === "ReadingList/Books/Book/Database") this.#identify(attributes);
    else if (this.#path.length > 2 && this.#path[1] === "Matchers") this.#smart = true;
  }

  #close(): void {
    if (this.#path.pop() !== "Book" || this.#path.length !== 2 || !this.#book) return;
    this.#books.push(this.#book);
    this.#book = undefined;
  }

  #text(text: string): void {
    if (this.#path.length === 2 && this.#path[1] === "Name") this.#name = `${this.#name ?? ""}${text}`.slice(0, most.text);
  }

  #begin(attributes: Attributes): void {
    if (this.#books.length >= most.books) throw new BadField("body", `holds more than ${most.books} books`);
    const said = (name: string) => (attributes[name] ?? "").trim().slice(0, most.text);
    const counted = (name: string) => (said(name) === "-1" ? "" : said(name));
    this.#book = { series: said("Series"), number: said("Number"), volume: counted("Volume"), year: counted("Year"), cvIssueId: undefined, volumeId: undefined };
  }

  /** Files may name several databases; ours is the provider's. */
  #identify(attributes: Attributes): void {
    if (!this.#book || attributes["Name"]?.trim().toLowerCase() !== "cv") return;
    this.#book.cvIssueId = toId(attributes["Issue"]);
    this.#book.volumeId = toId(attributes["Series"]);
  }
}

/** Some files write other things where an id belongs. */
function toId(written: string | undefined): number | undefined {
  const id = /^\d{1,12}$/.test(written?.trim() ?? "") ? Number(written) : 0;
  return id > 0 ? id : undefined;
}
