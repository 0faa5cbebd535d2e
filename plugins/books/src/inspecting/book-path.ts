import { foldTitle } from "@longbox/sdk/light";
import { stemOf } from "../formats/book-names.js";
import { lineOf, positionOf } from "./values.js";

/** What the names of a book's file and folders say. */
export interface BookPath {
  readonly title: string;
  readonly author: string | undefined;
  readonly series: string | undefined;
  /** The position in the series. */
  readonly number: string | undefined;
  /** The book has a folder to itself, as calibre makes them: its series begins one folder above. */
  readonly hasOwnFolder: boolean;
}

/** What the metadata says already, by which the parts of names are told apart. */
export interface KnownOfBook {
  readonly title: string | undefined;
  readonly authors: readonly string[];
}

/** calibre puts its own number behind the title: `The Salt Road (12)`. */
const calibreNumber = / \(\d{1,7}\)$/u;
const numbered = /^(?:book|vol\.?|volume|band|tome)?\s*#?(\d{1,3}(?:\.\d)?)\s*[-–_.:)]\s*(\S.*)$/iu;

/**
 * Reads `Author/Series/01 - Title`, `Author/Title/Title - Author`, `Author - Series 01 - Title` and the like.
 * @param folders - between the library's root and the file, outermost first
 */
export function readBookPath(folders: readonly string[], name: string, known: KnownOfBook): BookPath {
  const stem = lineOf(stemOf(name).replaceAll("_", " ")) ?? name;
  const own = folders.at(-1);
  const hasOwnFolder = own !== undefined && isOwnFolder(own, stem, known);
  const above = hasOwnFolder ? folders.slice(0, -1) : folders;
  const parts = stem.split(/\s+[-–]\s+/u);
  const author = known.authors[0] ?? authorOf(parts, above);
  const { number, title } = titleOf(withoutAuthor(parts, author, above));
  const said = seriesOf(above, author, number !== undefined);
  return {
    title: title.text,
    author,
    series: title.series ?? said,
    number,
    hasOwnFolder,
  };
}

function isOwnFolder(folder: string, stem: string, { title }: KnownOfBook): boolean {
  if (calibreNumber.test(folder)) return true;
  const named = foldTitle(folder.replace(numbered, "$2"));
  return [stem, title ?? stem].some((one) => foldTitle(one.replace(numbered, "$2")) === named);
}

/** `Ada Quill - The Salt Road`, where a folder does not say it. */
function authorOf(parts: readonly string[], above: readonly string[]): string | undefined {
  const [first = ""] = parts;
  if (parts.length > 1 && positionOf(first) === undefined && !numbered.test(`${first} -`)) {
    const inFolders = above.find((folder) => parts.some((part) => foldTitle(part) === foldTitle(folder)));
    return inFolders ?? (above.length === 0 ? first : above.at(above.length > 1 ? -2 : -1));
  }
  const startsWithNumber = numbered.test(parts.join(" - "));
  if (above.length === 0 || (above.length === 1 && startsWithNumber)) return undefined;
  return above.at(above.length > 1 ? -2 : -1);
}

/** The parts of the name that are not the author: before the title, or behind it as calibre has it. */
function withoutAuthor(parts: readonly string[], author: string | undefined, above: readonly string[]): string[] {
  if (parts.length === 1) return [...parts];
  const isAuthor = (part: string | undefined) => {
    const folded = foldTitle(part ?? "");
    return (
      (author !== undefined && folded === foldTitle(author)) || above.some((folder) => foldTitle(folder) === folded)
    );
  };
  if (isAuthor(parts[0])) return parts.slice(1);
  return isAuthor(parts.at(-1)) ? parts.slice(0, -1) : [...parts];
}

interface NamedTitle {
  readonly number: string | undefined;
  readonly title: { readonly text: string; readonly series: string | undefined };
}

/** `01 - The Salt Road`, `Low Tides 02 - The Salt Road`, `Low Tides #2 - The Salt Road`. */
function titleOf(parts: readonly string[]): NamedTitle {
  const whole = parts.join(" - ");
  const [, number, rest] = numbered.exec(whole) ?? [];
  if (number !== undefined && rest !== undefined)
    return { number: positionOf(number), title: { text: rest, series: undefined } };
  const [, series, position] = /^(\S.*?)[\s,]+(?:book\s+|vol\.?\s*)?#?(\d{1,3}(?:\.\d)?)$/iu.exec(parts[0] ?? "") ?? [];
  if (parts.length > 1 && series !== undefined)
    return { number: positionOf(position), title: { text: parts.slice(1).join(" - "), series } };
  return { number: undefined, title: { text: whole, series: undefined } };
}

/** The folder below the author's; where there is no author, the one that holds numbered books. */
function seriesOf(above: readonly string[], author: string | undefined, isNumbered: boolean): string | undefined {
  const at = author === undefined ? -1 : above.findIndex((folder) => foldTitle(folder) === foldTitle(author));
  if (at !== -1) return above[at + 1];
  return isNumbered && author === undefined ? above.at(-1) : undefined;
}
