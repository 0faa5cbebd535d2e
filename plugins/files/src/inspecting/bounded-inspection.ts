import type { FileReading, Inspection, Measure, PartialDate, Person, SeriesReading } from "../contract.js";

const longestText = 2000;
const longestDescription = 100_000;
const longestList = 2000;
/**
 * Characters in all lists of a reading together: the thread that serves requests parses what is read, however many
 * lists a file fills.
 */
const longestLists = 200_000;
const longestIds = 50;
const longestKey = 200;
const mostParts = 5000;
const largestDetailsBytes = 64 * 1024;

/** The inspection of a file that cannot be read: it has only a reason. */
export function failedInspection(error: string): Inspection {
  return { measure: { kind: "pages", pages: 0 }, tagged: false, reading: {}, error };
}

/**
 * What an inspector returned, with everything cut to size, since it comes from a file: only known fields, texts and
 * lists of bounded length. @throws {TypeError} when it is no inspection
 */
export function boundedInspection(given: Inspection): Inspection {
  return {
    measure: measureOf(given.measure),
    tagged: given.tagged === true,
    reading: readingOf(given.reading),
    error: textOf(given.error),
    awaitsFormat: given.awaitsFormat === true,
    identity: given.identity,
    parts: given.parts && listOf(given.parts, textOf, mostParts),
    details: detailsOf(given.details),
  };
}

function measureOf(measure: Measure): Measure {
  if (measure.kind === "pages") return { kind: "pages", pages: countOf(measure.pages) };
  if (measure.kind === "seconds") return { kind: "seconds", seconds: countOf(measure.seconds) };
  return { kind: "fraction" };
}

function readingOf(reading: FileReading): FileReading {
  const room = new Room(longestLists);
  const name = (text: unknown) => room.take(textOf(text));
  return {
    series: reading.series && seriesOf(reading.series, name),
    number: reading.number === "" ? "" : textOf(reading.number),
    edition: textOf(reading.edition),
    title: textOf(reading.title),
    description: textOf(reading.description, longestDescription),
    language: textOf(reading.language),
    ageRating: textOf(reading.ageRating),
    date: reading.date && dateOf(reading.date),
    ids: reading.ids && recordOf(reading.ids, name),
    people: reading.people && listOf(reading.people, (person) => personOf(person, name)),
    subjects: reading.subjects && recordOf(reading.subjects, (names) => listOf(names, name)),
    url: textOf(reading.url),
  };
}

/** How many characters the lists of a reading may still have. */
class Room {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  take(text: string | undefined): string | undefined {
    if (text === undefined || text.length > this.#left) return undefined;
    this.#left -= text.length;
    return text;
  }
}

type Name = (text: unknown) => string | undefined;

function seriesOf(series: SeriesReading, name: Name): SeriesReading {
  return {
    name: textOf(series.name),
    publisher: textOf(series.publisher),
    volume: wholeOf(series.volume),
    rightToLeft: typeof series.rightToLeft === "boolean" ? series.rightToLeft : undefined,
    foldersAbove: wholeOf(series.foldersAbove),
    ids: series.ids && recordOf(series.ids, name),
  };
}

function dateOf({ year, month, day }: PartialDate): PartialDate | undefined {
  const whole = wholeOf(year);
  return whole === undefined ? undefined : { year: whole, month: wholeOf(month), day: wholeOf(day) };
}

function personOf(person: Person, name: Name): Person | undefined {
  const called = name(person?.name);
  return called === undefined ? undefined : { name: called, role: name(person.role) ?? "" };
}

function textOf(text: unknown, longest = longestText): string | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  return text.length > longest ? text.slice(0, longest) : text;
}

function wholeOf(number: unknown): number | undefined {
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

function countOf(number: unknown): number {
  return typeof number === "number" && number > 0 && Number.isFinite(number) ? Math.round(number) : 0;
}

function listOf<T, R>(list: readonly T[], one: (item: T) => R | undefined, longest = longestList): R[] {
  const bounded: R[] = [];
  for (const item of list) {
    const value = one(item);
    if (value !== undefined) bounded.push(value);
    if (bounded.length >= longest) break;
  }
  return bounded;
}

function recordOf<T, R>(record: Readonly<Record<string, T>>, one: (value: T) => R | undefined): Record<string, R> {
  const bounded: Record<string, R> = {};
  let left = longestIds;
  for (const key in record) {
    if (left-- === 0) break;
    if (!Object.hasOwn(record, key) || key.length > longestKey) continue;
    const kept = one(record[key]!);
    if (kept !== undefined) bounded[key] = kept;
  }
  return bounded;
}

/** As JSON text, which can be sent between threads. @throws {RangeError} when it is too large */
function detailsOf(details: unknown): string | undefined {
  if (details === undefined || details === null) return undefined;
  const text = JSON.stringify(details);
  if (text !== undefined && text.length > largestDetailsBytes) throw new RangeError("The details are too large.");
  return text;
}
