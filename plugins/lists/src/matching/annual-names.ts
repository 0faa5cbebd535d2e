import { kindOfSeries } from "@longbox/collection/contract";
import type { Book } from "../cbl/list-file.js";

export type NamedBook = Pick<Book, "series" | "number" | "volume" | "year">;

const kindWords = { annual: "Annual", special: "Special" } as const;

/**
 * The other names of annuals and specials. Lists call them numbers of a volume of their own, as providers do
 * (`Moth Patrol Annual` 8), while files in the folder of a series make them part of it (`Moth Patrol` Annual 8), or the
 * other way round.
 */
export function otherNames(book: NamedBook): NamedBook[] {
  const kind = kindOfSeries(book.series);
  const names: NamedBook[] = [];
  const numbered = /^(Annual|Special)\s*#?\s*(?=\S)/i.exec(book.number);
  if (numbered) {
    const number = book.number.slice(numbered[0].length);
    const isSaidTwice = kind === numbered[1]!.toLowerCase();
    names.push({ ...book, series: isSaidTwice ? book.series : `${book.series} ${numbered[1]}`, number });
  } else if (kind === "annual" || kind === "special") {
    const number = `${kindWords[kind]} ${book.number}`;
    names.push({ ...book, number }, { ...book, series: parentOf(book.series), number });
  }
  return names.filter(({ series, number }) => series !== "" && number !== "");
}

/** Titles under which books of a series may be listed: its own, and those of its annuals, specials, or parent. */
export function listedTitles(title: string): string[] {
  const isOfKind = kindOfSeries(title) !== undefined;
  return [title, ...(isOfKind ? [parentOf(title)] : Object.values(kindWords).map((word) => `${title} ${word}`))];
}

const parentOf = (title: string) => title.replace(/[\s:,–-]+(?:hors[\s-]s[eé]rie|\S+)\s*$/iu, "");
