import type { FileReading, PartialDate, Person } from "@longbox/files/contract";
import type { AudioTags } from "./recording.js";

/** Where a book lies: its own name without an extension, and that of its folder. */
export interface BookPlace {
  readonly name: string;
  readonly folder: string;
}

/** What the tags of a book say, and where they say nothing, the names of the book and its folder. */
export function bookReading(tags: AudioTags, place: BookPlace): FileReading {
  const named = fromName(place);
  const authors = namesIn(tags.albumArtist ?? tags.artist);
  const title = tags.album ?? tags.title ?? named.title;
  const series = seriesOf(tags) ?? (tags.album === undefined ? named.series : undefined);
  const asin = asinOf(tags.asin) ?? named.asin;
  const isbn = isbnOf(tags.isbn);
  return {
    title,
    number: series?.number ?? "",
    series: { name: series?.name ?? authors[0] ?? title, publisher: tags.publisher },
    description: tags.description,
    language: languageOf(tags.language),
    date: dateOf(tags.date),
    people: [...authors.map(as("author")), ...narratorsOf(tags, authors).map(as("narrator"))],
    subjects: tags.genre === undefined ? undefined : { subjects: genresOf(tags.genre) },
    ids: asin || isbn ? { ...(asin && { asin }), ...(isbn && { isbn }) } : undefined,
  };
}

const as =
  (role: string) =>
  (name: string): Person => ({ name, role });

/** Books that tell their narrator nowhere else have it as the composer. */
function narratorsOf(tags: AudioTags, authors: readonly string[]): string[] {
  const names = namesIn(tags.narrator ?? tags.composer);
  return tags.narrator === undefined ? names.filter((name) => !authors.includes(name)) : names;
}

/** Several people: `Ada Quill; Ira Bloom`, `Ada Quill & Ira Bloom`; by commas only between full names. */
function namesIn(text: string | undefined): string[] {
  const pieces = (text ?? "").split(/\s*(?:[;/&]|\band\b)\s*/);
  const names = pieces.flatMap((piece) => {
    const parts = piece.split(/\s*,\s*/);
    return parts.every((part) => part.includes(" ")) ? parts : [piece];
  });
  return [...new Set(names.map((name) => name.trim()).filter(Boolean))];
}

interface SeriesPlace {
  readonly name: string;
  readonly number: string;
}

function seriesOf({ series, seriesPart, grouping }: AudioTags): SeriesPlace | undefined {
  if (series !== undefined)
    return { number: numberIn(seriesPart), ...placeIn(series), ...(seriesPart && { number: numberIn(seriesPart) }) };
  const grouped = grouping === undefined ? undefined : placeIn(grouping);
  return grouped?.number ? { name: grouped.name, number: grouped.number } : undefined;
}

/** `Low Tides #2`, `Low Tides, Book 2` */
function placeIn(text: string): { readonly name: string; readonly number?: string } {
  const [, name, number] = /^(.+?)(?:,?\s+(?:#|(?:book|vol\.?|volume|part)\s+)(\d+(?:\.\d+)?))$/i.exec(text) ?? [];
  return name === undefined || number === undefined ? { name: text } : { name, number };
}

function numberIn(text: string | undefined): string {
  return /\d+(?:\.\d+)?/.exec(text ?? "")?.[0]?.replace(/^0+(?=\d)/, "") ?? "";
}

/** `Low Tides/02 - The Salt Road (2019) [B0EXAMPLE1]` */
function fromName({ name, folder }: BookPlace): { title: string; series?: SeriesPlace; asin?: string } {
  const asin = asinOf(/\[([^\]]+)\]/.exec(name)?.[1]);
  const plain = name.replaceAll(/\s*(?:\[[^\]]*\]|\{[^}]*\}|\((?:19|20)\d\d\))/g, "").trim();
  const [, number, title] = /^(?:(?:book|vol\.?|volume)\s*)?(\d{1,3}(?:\.\d+)?)\s*[-–.]\s*(\S.*)$/i.exec(plain) ?? [];
  const series = number === undefined ? undefined : { name: folder, number: numberIn(number) };
  return { title: title ?? (plain || name), ...(series && { series }), ...(asin && { asin }) };
}

function genresOf(text: string): string[] {
  return text
    .split(/\s*[;/,]\s*/)
    .filter((genre) => genre !== "" && !/^audiobooks?$/i.test(genre))
    .slice(0, 50);
}

function asinOf(text: string | undefined): string | undefined {
  const asin = text?.trim().toUpperCase() ?? "";
  return /^(?:B[0-9A-Z]{9}|\d{9}[\dX])$/.test(asin) ? asin : undefined;
}

function isbnOf(text: string | undefined): string | undefined {
  const isbn = text?.replaceAll(/[\s-]/g, "").toUpperCase() ?? "";
  return /^(?:97[89]\d{10}|\d{9}[\dX])$/.test(isbn) ? isbn : undefined;
}

/** A BCP 47 tag: `eng` becomes `en`. */
function languageOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text)
    ? Intl.getCanonicalLocales(text)[0]
    : undefined;
}

function dateOf(text: string | undefined): PartialDate | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?/.exec(text?.trim() ?? "") ?? [];
  if (year === undefined || year === "0000") return undefined;
  return {
    year: Number(year),
    ...(month !== undefined && { month: Number(month) }),
    ...(day !== undefined && { day: Number(day) }),
  };
}
