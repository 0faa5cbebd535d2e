import type { Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { SeriesReading } from "../series/series-reading.js";
import { tally } from "../series/series-class.js";
import { select, type SeriesSelection } from "../series/series-selection.js";
import type { CollectionDatabase } from "../tables.js";

export type Counts = Record<string, number>;

/** How many series each filter shows, added up in one pass and remembered until something changes. */
export class SeriesCounts {
  readonly #reader: CollectionDatabase;
  readonly #series: SeriesReading;
  readonly #index: SearchIndex;
  readonly #changes: Changes;
  #known = new Map<string, { generation: number; counts: Promise<Counts> }>();

  constructor(parts: {
    readonly reader: CollectionDatabase;
    readonly series: SeriesReading;
    readonly index: SearchIndex;
    readonly changes: Changes;
  }) {
    this.#reader = parts.reader;
    this.#series = parts.series;
    this.#index = parts.index;
    this.#changes = parts.changes;
  }

  /** @param types - The library types, each of which is a filter too */
  async read(selection: SeriesSelection, types: readonly string[], viewer: Viewer): Promise<Counts> {
    // One after the other: two at once would need a second reading thread, of 12 MB.
    const common = await this.#remembered(selection, types, viewer);
    const followed = await this.#series.count({ ...selection, filter: "followed" }, viewer);
    return { ...common, followed };
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
    const query = select(this.#reader.selectFrom("series"), await this.#series.completed(selection), {
      viewer,
      index: this.#index,
    });
    const groups = await query
      .select(["type", "class", (eb) => eb.fn.countAll<number>().as("count")])
      .groupBy(["type", "class"])
      .execute();
    return tally(groups, types);
  }
}
