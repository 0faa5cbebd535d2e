import { sql } from "kysely";
import type { Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionDatabase } from "../tables.js";
import { select, type SeriesSelection } from "./series-selection.js";
import type { SeriesReading } from "./series-reading.js";

/** Where the titles of a letter begin in a list that is sorted by title. */
export interface LetterPlace {
  /** `A` to `Z`, `#` for digits and signs before them, `…` for letters of other alphabets. */
  readonly letter: string;
  /** The place of the first in the list, from 0. */
  readonly offset: number;
}

interface LettersParts {
  readonly reader: CollectionDatabase;
  readonly series: SeriesReading;
  readonly search: SearchIndex;
  readonly changes: Changes;
}

const mostKept = 200;

/** Finds where letters begin in lists, so that a long list can be entered anywhere. */
export class TitleLetters {
  #kept = new Map<string, { readonly generation: number; readonly places: readonly LetterPlace[] }>();

  constructor(private readonly parts: LettersParts) {}

  /** Remembered until something changes: it counts every title of the list. */
  async find(selection: SeriesSelection, viewer: Viewer): Promise<readonly LetterPlace[]> {
    const { generation } = this.parts.changes;
    const key = JSON.stringify([selection, viewer.user.id, viewer.seesRestricted]);
    const kept = this.#kept.get(key);
    if (kept?.generation === generation) return kept.places;
    const places = await this.#count(selection, viewer);
    if (this.#kept.size >= mostKept) this.#kept = new Map();
    this.#kept.set(key, { generation, places });
    return places;
  }

  async #count(selection: SeriesSelection, viewer: Viewer): Promise<readonly LetterPlace[]> {
    const { reader, series, search } = this.parts;
    const chosen = select(reader.selectFrom("series"), await series.completed(selection), { viewer, index: search });
    const first = sql<string>`substr(title_order, 1, 1)`;
    const rows = await chosen
      .select([first.as("first"), (eb) => eb.fn.countAll<number>().as("titles")])
      .groupBy(first)
      .orderBy(first)
      .execute();
    const places: LetterPlace[] = [];
    let offset = 0;
    for (const { first: character, titles } of rows) {
      const letter = letterOf(character);
      if (places.at(-1)?.letter !== letter) places.push({ letter, offset });
      offset += Number(titles);
    }
    return places;
  }
}

function letterOf(character: string): string {
  if (/^[a-z]$/.test(character)) return character.toUpperCase();
  return character < "a" ? "#" : "…";
}
