import { sql } from "kysely";
import type { Viewer } from "@longbox/sdk";
import type { Changes } from "./changes.js";
import type { SearchIndex } from "./search-index.js";
import type { SeriesReading } from "./series-reading.js";
import { select, type SeriesSelection } from "./series-selection.js";
import type { CollectionDatabase } from "./tables.js";

export type Counts = Record<string, number>;

/** How many series each filter shows, added up in one pass and remembered until something changes. */
export class SeriesCounts {
  readonly #reader: CollectionDatabase;
  readonly #series: SeriesReading;
  readonly #index: SearchIndex;
  readonly #changes: Changes;
  #known = new Map<string, { generation: number; counts: Promise<Counts> }>();

  constructor(reader: CollectionDatabase, series: SeriesReading, index: SearchIndex, changes: Changes) {
    this.#reader = reader;
    this.#series = series;
    this.#index = index;
    this.#changes = changes;
  }

  /** @param types - The library types, each of which is a filter too */
  async read(selection: SeriesSelection, types: readonly string[], viewer: Viewer): Promise<Counts> {
    const everybody = await this.#remembered(selection, types, viewer);
    const followed = await this.#series.count({ ...selection, filter: "followed" }, viewer);
    return { ...everybody, followed };
  }

  #remembered(selection: SeriesSelection, types: readonly string[], viewer: Viewer): Promise<Counts> {
    const key = JSON.stringify([selection, types, viewer.seesRestricted]);
    const { generation } = this.#changes;
    const known = this.#known.get(key);
    if (known?.generation === generation) return known.counts;
    if (this.#known.size > 200) this.#known = new Map();
    const counts = this.#add(selection, types, viewer);
    this.#known.set(key, { generation, counts });
    counts.catch(() => this.#known.delete(key));
    return counts;
  }

  async #add(selection: SeriesSelection, types: readonly string[], viewer: Viewer): Promise<Counts> {
    const query = select(this.#reader.selectFrom("series"), await this.#series.completed(selection), viewer, this.#index);
    const row = await query
      .select([
        sql<number>`count(*)`.as("all"), tally("missing > 0", "incomplete"), tally("missing = 0 and total > 0", "complete"),
        tally("monitor <> 'none'", "monitored"), tally("monitor = 'none'", "unmonitored"), tally("status = 'ongoing'", "ongoing"), tally("status = 'ended'", "ended"),
        tally("corrupt > 0 or unlinked > 0", "problems"), tally("cv_id is null", "unmatched"),
        ...types.map((type) => sql<number>`coalesce(sum(type = ${type}), 0)`.as(type)),
      ])
      .executeTakeFirstOrThrow();
    return { ...row };
  }
}

const tally = <A extends string>(condition: string, name: A) => sql<number>`coalesce(sum(${sql.raw(condition)}), 0)`.as(name);
