import { foldTitle, type Viewer } from "@longbox/sdk";
import type { CollectionDatabase } from "../tables.js";

/** A series of an offer. */
export interface PartOfSeries {
  readonly id: number;
  readonly title: string;
  readonly year: number | null;
  readonly owned: number;
}

/** Two series that are probably one. */
export interface SplitOffer {
  /** The one that would go. */
  readonly from: PartOfSeries;
  readonly to: PartOfSeries;
  readonly reasons: readonly string[];
}

interface Candidate extends PartOfSeries {
  readonly cv_id: number | null;
  readonly title_key: string;
  readonly aliases: string;
  readonly library_id: number | null;
  readonly type: string;
  readonly path: string | null;
}

/** More offers are made once these are decided. */
const mostOffers = 100;
/** Shorter titles differ by a letter because they are others. */
const misspeltFrom = 10;

/** Finds series that were split: by another spelling of the title, or by a folder of their own. */
export class SplitSeries {
  constructor(private readonly reader: CollectionDatabase) {}

  async offers(viewer: Viewer): Promise<SplitOffer[]> {
    const candidates = await this.#candidates(viewer);
    const apart = new Set(
      (await this.reader.selectFrom("series_apart").selectAll().execute()).map(
        (row) => `${row.one_id}-${row.other_id}`,
      ),
    );
    const offers: SplitOffer[] = [];
    for (const [one, other, reason] of alikePairs(candidates)) {
      if (offers.length === mostOffers) break;
      const [low, high] = one.id < other.id ? [one, other] : [other, one];
      if (apart.has(`${low.id}-${high.id}`) || !mayBeOne(one, other)) continue;
      const numbers = await this.#numbers(one, other);
      if (numbers === undefined) continue;
      const [from, to] = goesFirst(one, other) ? [one, other] : [other, one];
      offers.push({ from: partOf(from), to: partOf(to), reasons: [reason, ...yearReason(one, other), numbers] });
    }
    return offers;
  }

  async #candidates(viewer: Viewer): Promise<Candidate[]> {
    return await this.reader
      .selectFrom("series")
      .select(["id", "title", "year", "owned", "cv_id", "title_key", "aliases", "library_id", "type", "path"])
      .where("state", "=", "tracked")
      .where("owned", ">", 0)
      .$if(!viewer.seesRestricted, (query) => query.where("hidden", "=", 0))
      .orderBy("title_key")
      .orderBy("id")
      .execute();
  }

  /** What speaks for it of the numbers that are owned; undefined when a number is owned of both: then they are two. */
  async #numbers(one: Candidate, other: Candidate): Promise<string | undefined> {
    const rows = await this.reader
      .selectFrom("issue")
      .select(["series_id", "number", "sort_key"])
      .where("series_id", "in", [one.id, other.id])
      .where("owned", "=", 1)
      .orderBy("sort_key")
      .execute();
    if (new Set(rows.map((row) => row.sort_key)).size < rows.length) return undefined;
    const range = (id: number) => {
      const numbers = rows.filter((row) => row.series_id === id).map(({ number }) => number);
      return numbers.length > 1 ? `${numbers[0]} to ${numbers.at(-1)}` : `${numbers[0]}`;
    };
    return `No number is in both: one has ${range(one.id)}, the other ${range(other.id)}.`;
  }
}

/** Pairs of series whose titles are alike, with the reason. */
function* alikePairs(candidates: readonly Candidate[]): Generator<[Candidate, Candidate, string]> {
  const seen = new Set<string>();
  const isNew = (one: Candidate, other: Candidate) => {
    const key = `${Math.min(one.id, other.id)}-${Math.max(one.id, other.id)}`;
    return one.id !== other.id && !seen.has(key) && seen.add(key) !== undefined;
  };
  const byTitle = Map.groupBy(candidates, ({ title_key }) => joined(title_key));
  for (const group of byTitle.values())
    for (const [one, other] of pairsOf(group))
      if (isNew(one, other)) yield [one, other, "The titles differ in case, accents or punctuation at most."];
  for (const one of candidates)
    for (const alias of JSON.parse(one.aliases) as string[])
      for (const other of byTitle.get(joined(foldTitle(alias))) ?? [])
        if (isNew(one, other)) yield [one, other, `“${other.title}” is another name of “${one.title}”.`];
  for (const group of Map.groupBy(candidates, ({ title_key }) => joined(title_key).slice(0, 5)).values())
    for (const [one, other] of pairsOf(group))
      if (isMisspelt(joined(one.title_key), joined(other.title_key)) && isNew(one, other))
        yield [one, other, "The titles differ by one letter."];
}

function* pairsOf<T>(items: readonly T[]): Generator<[T, T]> {
  for (const [index, one] of items.entries()) for (const other of items.slice(index + 1)) yield [one, other];
}

const joined = (key: string) => key.replace(/\s+/g, "");

/** Whether one letter was added, left out or replaced; a digit makes another title. */
function isMisspelt(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < misspeltFrom || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const skip = (text: string, length: number) => text.slice(start + (text.length >= length ? 1 : 0));
  const longest = Math.max(one.length, other.length);
  if (skip(one, longest) !== skip(other, longest)) return false;
  return one !== other && !/\d/.test(`${one[start] ?? ""}${other[start] ?? ""}`);
}

/** Two volumes, libraries or types, or years that differ, make two series. */
function mayBeOne(one: Candidate, other: Candidate): boolean {
  if (one.cv_id !== null && other.cv_id !== null) return false;
  if (one.type !== other.type || one.library_id !== other.library_id) return false;
  return one.year === null || other.year === null || one.year === other.year;
}

function yearReason(one: Candidate, other: Candidate): string[] {
  return one.year !== null && one.year === other.year ? [`Both began in ${one.year}.`] : [];
}

/** The matched one stays, else the one with more issues, else the older one. */
function goesFirst(one: Candidate, other: Candidate): boolean {
  if ((one.cv_id === null) !== (other.cv_id === null)) return one.cv_id === null;
  return one.owned === other.owned ? one.id > other.id : one.owned < other.owned;
}

function partOf({ id, title, year, owned }: Candidate): PartOfSeries {
  return { id, title, year, owned };
}
