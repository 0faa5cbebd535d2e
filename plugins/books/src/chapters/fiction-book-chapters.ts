import { readDocument } from "../inspecting/epub/package-document.js";
import { isFictionBook, largestFictionBookBytes } from "../inspecting/fb2/fiction-book.js";
import type { LookedAt } from "../inspecting/looked-at.js";
import { UnreadableBook } from "../inspecting/unreadable.js";
import { ZipFiles } from "../inspecting/zip/zip-files.js";
import { most, type BookChapter } from "./book-chapter.js";

type File = Pick<LookedAt, "sizeBytes" | "read">;

/** Books have a hundred thousand paragraphs at most. */
const limits = { elements: 2_000_000, depth: 200 };

/** The titles of the sections of a FictionBook; a place is the share of the text before it. @throws {UnreadableBook} */
export function fictionBookChapters(file: File): BookChapter[] {
  if (file.sizeBytes > largestFictionBookBytes) throw new UnreadableBook("The book is too large.");
  return chaptersOf(file.read(0, file.sizeBytes));
}

/** The same for one that is alone in a ZIP. @throws {UnreadableBook} */
export function packedFictionBookChapters(file: File): BookChapter[] {
  const files = new ZipFiles(file);
  const entry = [...files.entries()].find(({ name }) => isFictionBook(name));
  return entry ? chaptersOf(files.read(entry, largestFictionBookBytes)) : [];
}

function chaptersOf(bytes: Uint8Array): BookChapter[] {
  const reading = new SectionReading();
  readDocument(
    bytes,
    {
      open: ({ name, attributes }) => reading.open(localName(name), attributes),
      text: (text) => reading.text(text),
      close: (name) => reading.close(localName(name)),
    },
    { limits },
  );
  const { begins, length } = reading;
  return begins.map(({ title, before }) => ({ title, start: length === 0 ? 0 : before / length }));
}

/** Counts the characters of the text, without notes, which stand in a body with a name. */
class SectionReading {
  readonly begins: { title: string; readonly before: number }[] = [];
  length = 0;
  #isText = false;
  /** The elements that are open in the body. */
  #open: string[] = [];
  #title: { title: string; readonly before: number } | undefined;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "body") this.#isText = attributes["name"] === undefined;
    if (!this.#isText) return;
    if (name === "title" && this.#open.at(-1) === "section") this.#title = { title: "", before: this.length };
    this.#open.push(name);
  }

  text(text: string): void {
    if (!this.#isText) return;
    this.length += text.length;
    if (this.#title && this.#title.title.length < most.titleLength) this.#title.title += ` ${text}`;
  }

  close(name: string): void {
    if (!this.#isText) return;
    this.#open.pop();
    if (name === "body") this.#isText = false;
    if (name !== "title" || !this.#title) return;
    if (this.begins.length < most.chapters) this.begins.push(this.#title);
    this.#title = undefined;
  }
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);
