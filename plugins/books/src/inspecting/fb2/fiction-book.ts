import { readXmlTree, XmlRefused, type XmlElement } from "@longbox/sdk/xml";
import type { BookLook, BookMetadata } from "../book-metadata.js";
import type { LookedAt } from "../looked-at.js";
import { damaged, UnreadableBook } from "../unreadable.js";
import { dateOf, isbnOf, languageOf, lineOf, plainDescription, positionOf } from "../values.js";
import { ZipFiles } from "../zip/zip-files.js";

/** Images stand in the document in base64; the largest have some ten megabytes. */
export const largestFictionBookBytes = 64 * 1024 * 1024;
/** The description stands before the text. */
const descriptionBytes = 1024 * 1024;
const limits = { elements: 20_000, depth: 40, errors: 2000 };
const descriptionEnd = /<\/(?:[\w-]{1,30}:)?description\s*>/u;

export const isFictionBook = (name: string): boolean => name.toLowerCase().endsWith(".fb2");

/** @throws {UnreadableBook} */
export function inspectFictionBook(file: LookedAt): BookLook {
  return look(file.read(0, Math.min(file.sizeBytes, descriptionBytes)));
}

/** A FictionBook that is alone in a ZIP. @throws {UnreadableBook} */
export function inspectPackedFictionBook(file: LookedAt): BookLook {
  const files = new ZipFiles(file);
  const entry = [...files.entries()].find(({ name }) => isFictionBook(name));
  if (!entry) throw new UnreadableBook("There is no FictionBook in the archive.");
  return look(files.read(entry, largestFictionBookBytes).subarray(0, descriptionBytes));
}

/** @param bytes - the beginning of the document, with the whole description */
function look(bytes: Buffer): BookLook {
  const end = descriptionEnd.exec(bytes.toString("latin1"));
  const description = parse(end ? bytes.subarray(0, end.index + end[0].length) : bytes);
  const title = find(description, "title-info");
  const cover = find(find(title, "coverpage"), "image");
  const reference = Object.entries(cover?.attributes ?? {}).find(([name]) => /(?:^|:)href$/u.test(name))?.[1];
  const id = reference?.startsWith("#") ? reference.slice(1, 1000) : undefined;
  return {
    metadata: metadataOf(title, find(description, "publish-info")),
    details: id === undefined || id === "" ? {} : { cover: { kind: "binary", id } },
  };
}

function parse(bytes: Buffer): XmlElement {
  try {
    const root = readXmlTree(bytes, { limits });
    if (root && localName(root.name) === "FictionBook") {
      const description = find(root, "description");
      if (description) return description;
    }
  } catch (thrown) {
    if (!(thrown instanceof XmlRefused)) throw thrown;
    throw damaged("its description cannot be read", { cause: thrown });
  }
  throw damaged("it does not say what it is");
}

function metadataOf(title: XmlElement | undefined, published: XmlElement | undefined): BookMetadata {
  const textOf = (element: XmlElement | undefined, name: string) => find(element, name)?.text;
  const sequence = find(title, "sequence") ?? find(published, "sequence");
  const series = lineOf(sequence?.attributes["name"]);
  const date = find(title, "date");
  const isbn = isbnOf(textOf(published, "isbn"));
  return {
    title: lineOf(textOf(title, "book-title")),
    people: [...peopleOf(title, "author", "author"), ...peopleOf(title, "translator", "translator")],
    language: languageOf(textOf(title, "lang")),
    publisher: lineOf(textOf(published, "publisher")),
    date: dateOf(textOf(published, "year")) ?? dateOf(date?.attributes["value"]) ?? dateOf(date?.text),
    description: plainDescription(wholeText(find(title, "annotation"))),
    subjects: all(title, "genre").flatMap(({ text }) => lineOf(text) ?? []),
    series: series === undefined ? undefined : { name: series, number: positionOf(sequence?.attributes["number"]) },
    ids: isbn === undefined ? {} : { isbn },
  };
}

function peopleOf(title: XmlElement | undefined, element: string, role: string): Array<{ name: string; role: string }> {
  return all(title, element).flatMap((person) => {
    const parts = ["first-name", "middle-name", "last-name"].map((part) => find(person, part)?.text ?? "");
    const name = lineOf(parts.join(" ")) ?? lineOf(find(person, "nickname")?.text);
    return name === undefined ? [] : [{ name, role }];
  });
}

/** The text of an element and its descendants, one paragraph to a line. */
function wholeText(element: XmlElement | undefined): string | undefined {
  if (!element) return undefined;
  return [element.text, ...element.children.map((child) => wholeText(child) ?? "")].filter(Boolean).join("\n");
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);

function all(parent: XmlElement | undefined, name: string): XmlElement[] {
  return (parent?.children ?? []).filter((child) => localName(child.name) === name);
}

function find(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((child) => localName(child.name) === name);
}
