import { z } from "zod";
import type { FoundEdition, FoundWork } from "../works.js";
import { isbn13 } from "./isbns.js";
import { languageOf } from "./languages.js";
import { lineOf, linesOf } from "./texts.js";

/**
 * Open Library leaves out what is empty, and its data is that of many hands: a field that is odd counts as left out.
 */
const text = z.string().optional().catch(undefined);
const texts = z.array(z.string().catch("")).catch([]);
const coverId = z.number().int().positive().optional().catch(undefined);

const editionSchema = z.object({
  key: z.string(),
  title: text,
  isbn: texts,
  language: texts,
  cover_i: coverId,
});

const docSchema = z.object({
  key: z.string(),
  title: z.string(),
  subtitle: text,
  author_name: texts,
  first_publish_year: z.number().int().min(-3000).max(3000).optional().catch(undefined),
  language: texts,
  isbn: texts,
  publisher: texts,
  cover_i: coverId,
  series_name: texts,
  series_position: texts,
  editions: z
    .object({ docs: z.array(editionSchema.optional().catch(undefined)).catch([]) })
    .optional()
    .catch(undefined),
});

/** `docs` must be there: what has none is the answer of something else. */
export const searchSchema = z.object({ docs: z.array(docSchema.optional().catch(undefined)) });

/** Fields that are not named are not sent. */
export const searchFields = [
  ...Object.keys(docSchema.shape),
  ...Object.keys(editionSchema.shape).map((name) => `editions.${name}`),
].join(",");

const most = { authors: 20, languages: 60, isbns: 4000, publishers: 20, series: 5 } as const;

/** The works of an answer; rows without an id or a title are left out. */
export function toFoundWorks({ docs }: z.output<typeof searchSchema>): FoundWork[] {
  return docs.flatMap((doc) => {
    const id = doc && keyOf(doc.key, "works", "W");
    const title = doc && lineOf(doc.title);
    if (!doc || id === undefined || title === undefined) return [];
    return {
      id,
      title,
      subtitle: lineOf(doc.subtitle),
      authors: linesOf(doc.author_name, most.authors),
      year: doc.first_publish_year,
      languages: languagesOf(doc.language),
      isbns: isbnsOf(doc.isbn),
      publishers: linesOf(doc.publisher, most.publishers),
      series: seriesOf(doc.series_name, doc.series_position),
      coverId: doc.cover_i,
      edition: toEdition(doc.editions?.docs[0]),
    };
  });
}

function toEdition(edition: z.output<typeof editionSchema> | undefined): FoundEdition | undefined {
  const id = edition && keyOf(edition.key, "books", "M");
  if (!edition || id === undefined) return undefined;
  return {
    id,
    title: lineOf(edition.title),
    isbns: isbnsOf(edition.isbn),
    languages: languagesOf(edition.language),
    coverId: edition.cover_i,
  };
}

/** `OL1W` of `/works/OL1W`. */
export function keyOf(key: string, kind: "works" | "books" | "authors", letter: "W" | "M" | "A"): string | undefined {
  return new RegExp(`^/${kind}/(OL[1-9]\\d{0,14}${letter})$`).exec(key)?.[1];
}

const languagesOf = (codes: readonly string[]) => [
  ...new Set(codes.slice(0, most.languages).flatMap((code) => languageOf(code) ?? [])),
];
const isbnsOf = (isbns: readonly string[]) => [
  ...new Set(isbns.slice(0, most.isbns).flatMap((isbn) => isbn13(isbn) ?? [])),
];

/** Two lists that run side by side. */
function seriesOf(names: readonly string[], positions: readonly string[]) {
  return names.slice(0, most.series).flatMap((written, index) => {
    const name = lineOf(written);
    return name === undefined ? [] : { name, number: lineOf(positions[index]) ?? "" };
  });
}
