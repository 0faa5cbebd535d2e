import type { Viewer } from "@longbox/sdk";
import type { CollectionDatabase } from "../tables.js";
import { alikePairs, type Titled } from "./alike-titles.js";

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

interface Candidate extends PartOfSeries, Titled {
  readonly cv_id: number | null;
  readonly library_id: number | null;
  readonly type: string;
  readonly path: string | null;
}

/** More offers are made once these are decided. */
const mostOffers = 100;

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
    for await (const [one, other, reason] of alikePairs(candidates)) {
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
