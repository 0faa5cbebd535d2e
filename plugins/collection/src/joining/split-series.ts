import type { Viewer } from "@longbox/sdk";
import type { CollectionDatabase } from "../tables.js";
import { pairKey, type FoundPair } from "./finding-pairs.js";
import type { PairFinder } from "./pair-thread.js";

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

type Candidate = PartOfSeries & { readonly cv_id: number | null };

/** More offers are made once these are decided. */
const mostOffers = 100;
/** Of so many pairs at a time the numbers are compared: most pairs with alike titles are offered. */
const pairsAtOnce = 500;
/** Reading so many series takes milliseconds. */
const pageOfSeries = 2000;

/** Finds series that were split: by another spelling of the title, or by a folder of their own. */
export class SplitSeries {
  readonly #reader: CollectionDatabase;
  readonly #pairs: PairFinder;

  constructor(reader: CollectionDatabase, pairs: PairFinder) {
    this.#reader = reader;
    this.#pairs = pairs;
  }

  async offers(viewer: Viewer, signal?: AbortSignal): Promise<SplitOffer[]> {
    const pages = await this.#pages(viewer);
    const told = await this.#reader.selectFrom("series_apart").selectAll().execute();
    const apart = told.map(({ one_id, other_id }) => pairKey(one_id, other_id));
    const offers: SplitOffer[] = [];
    for (let skip = 0; ; skip += pairsAtOnce) {
      const found = await this.#pairs.find({ pages, apart, skip, limit: pairsAtOnce }, signal);
      for (const pair of found) {
        const offer = await this.#offer(pair);
        if (offer) offers.push(offer);
        if (offers.length === mostOffers) return offers;
      }
      if (found.length < pairsAtOnce) return offers;
    }
  }

  /** The series in the order of their titles, as JSON, piece by piece: one text of all would hold up other requests. */
  async #pages(viewer: Viewer): Promise<string[]> {
    const pages: string[] = [];
    for (let afterId = 0; ;) {
      const rows = await this.#reader
        .selectFrom("series")
        .select(["id", "title", "year", "cv_id", "title_key", "aliases", "library_id", "type"])
        .where("state", "=", "tracked")
        .where("owned", ">", 0)
        .where("id", ">", afterId)
        .$if(!viewer.seesRestricted, (query) => query.where("hidden", "=", 0))
        .orderBy("id")
        .limit(pageOfSeries)
        .execute();
      const last = rows.at(-1);
      if (!last) return pages;
      pages.push(JSON.stringify(rows));
      afterId = last.id;
    }
  }

  /** Undefined when a number is owned of both, or one is gone meanwhile. */
  async #offer({ one: oneId, other: otherId, reason }: FoundPair): Promise<SplitOffer | undefined> {
    const rows = await this.#reader
      .selectFrom("series")
      .select(["id", "title", "year", "owned", "cv_id"])
      .where("id", "in", [oneId, otherId])
      .execute();
    const [one, other] = [oneId, otherId].map((id) => rows.find((row) => row.id === id));
    if (!one || !other) return undefined;
    const numbers = await this.#numbers(one, other);
    if (numbers === undefined) return undefined;
    const [from, to] = goesFirst(one, other) ? [one, other] : [other, one];
    return { from: partOf(from), to: partOf(to), reasons: [reason, ...yearReason(one, other), numbers] };
  }

  /** What speaks for it of the numbers that are owned; undefined when a number is owned of both: then they are two. */
  async #numbers(one: Candidate, other: Candidate): Promise<string | undefined> {
    const rows = await this.#reader
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
