import { readXml, XmlRefused, type XmlEvents, type XmlStart } from "@longbox/sdk/xml";
import { NotAReadingList } from "../errors.js";
import type { Book, ListFile } from "./list-file.js";

/** A list file is shallow: ReadingList, Books, Book, Database. Matchers of smart lists go a little deeper. */
const most = { depth: 24, elements: 100_000, textLength: 500 };
const mostBooks = 20_000;

type Attributes = Readonly<Record<string, string>>;
type Open = { -readonly [K in keyof Book]: Book[K] };

/**
 * Reads a ComicRack reading list. Entities of its own, document types and anything that is not well-formed are refused.
 * For the parsing thread.
 * @throws {NotAReadingList} naming `body`
 */
export function parseListFile(bytes: Uint8Array): ListFile {
  if (bytes.length === 0) throw new NotAReadingList("is empty");
  const reading = new Reading();
  try {
    readXml(bytes, reading, { limits: { ...most, errors: 0 }, refuseDoctype: true });
  } catch (thrown) {
    if (!(thrown instanceof XmlRefused)) throw thrown;
    throw new NotAReadingList(thrown.message.replace(/^(The document|An element) /, "").replace(/\.$/, ""));
  }
  return reading.end();
}

class Reading implements XmlEvents {
  readonly #path: string[] = [];
  readonly #books: Book[] = [];
  #name: string | undefined;
  #book: Open | undefined;
  #smart = false;

  end(): ListFile {
    if (this.#books.length === 0)
      throw new NotAReadingList(this.#smart ? "is a smart list: it has rules and no books" : "holds no books");
    return { name: this.#name?.trim() || undefined, books: this.#books };
  }

  open({ name, attributes, depth }: XmlStart): void {
    if (depth === 0 && name !== "ReadingList")
      throw new NotAReadingList(`is not a reading list: its root is ${name.slice(0, 60)}, not ReadingList`);
    this.#path.push(name);
    const place = this.#path.join("/");
    if (place === "ReadingList/Books/Book") this.#begin(attributes);
    else if (place === "ReadingList/Books/Book/Database") this.#identify(attributes);
    else if (this.#path.length > 2 && this.#path[1] === "Matchers") this.#smart = true;
  }

  close(): void {
    if (this.#path.pop() !== "Book" || this.#path.length !== 2 || !this.#book) return;
    this.#books.push(this.#book);
    this.#book = undefined;
  }

  text(text: string): void {
    if (this.#path.length === 2 && this.#path[1] === "Name")
      this.#name = `${this.#name ?? ""}${text}`.slice(0, most.textLength);
  }

  #begin(attributes: Attributes): void {
    if (this.#books.length >= mostBooks) throw new NotAReadingList(`holds more than ${mostBooks} books`);
    const said = (name: string) => (attributes[name] ?? "").trim();
    const counted = (name: string) => (said(name) === "-1" ? "" : said(name));
    this.#book = {
      series: said("Series"),
      number: said("Number"),
      volume: counted("Volume"),
      year: counted("Year"),
      cvIssueId: undefined,
      volumeId: undefined,
    };
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
