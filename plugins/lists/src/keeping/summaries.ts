import type { Viewer } from "@longbox/sdk";
import type { Issue } from "@longbox/collection/contract";
import type { LibraryView, ViewedItem } from "./library-view.js";
import type { ListRecords } from "./list-records.js";

/** The summary of a list's items, without what a user has read. */
export interface Summary {
  readonly items: number;
  readonly owned: number;
  /** Internal ids of the issues that the library has a file of. */
  readonly ownedIds: readonly number[];
  readonly covers: readonly string[];
}

/** Covers of one row. */
const stripLength = 5;

export const coverOf = (cvIssueId: number): string => `/api/issue/${cvIssueId}/cover`;

export function summarise(items: readonly ViewedItem[]): Summary {
  const owned = items.flatMap(({ issue }) => (issue?.owned ? [issue] : []));
  const strip = stripOf(owned.length > 0 ? owned : items.flatMap(({ issue }) => issue ?? []));
  return {
    items: items.length,
    owned: owned.length,
    ownedIds: owned.map((issue) => issue.id),
    covers: strip.map((issue) => coverOf(issue.cvIssueId)),
  };
}

/** The covers of a strip: the first issue of each series, then other issues. */
function stripOf(issues: readonly Issue[]): Issue[] {
  const ofSeries = new Map<number, Issue>();
  for (const issue of issues) if (!ofSeries.has(issue.seriesId)) ofSeries.set(issue.seriesId, issue);
  const firsts = [...ofSeries.values()].slice(0, stripLength);
  const others = issues.filter((issue) => !firsts.includes(issue)).slice(0, stripLength - firsts.length);
  return issues.filter((issue) => firsts.includes(issue) || others.includes(issue));
}

/** Summaries of lists, remembered until the list or the library changes: counting looks every item up. */
export class Summaries {
  readonly #records: ListRecords;
  readonly #view: LibraryView;
  readonly #known = new Map<string, Promise<Summary>>();

  constructor(records: ListRecords, view: LibraryView) {
    this.#records = records;
    this.#view = view;
  }

  async of(listId: number, viewer: Viewer): Promise<Summary> {
    const key = `${listId} ${viewer.seesRestricted}`;
    const known = this.#known.get(key);
    if (known) return await known;
    const counted = this.#count(listId, viewer);
    this.#known.set(key, counted);
    try {
      return await counted;
    } catch (fault) {
      this.#known.delete(key);
      throw fault;
    }
  }

  forget(listIds: readonly number[]): void {
    for (const id of listIds) for (const sees of [true, false]) this.#known.delete(`${id} ${sees}`);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  async #count(listId: number, viewer: Viewer): Promise<Summary> {
    return summarise(await this.#view.look(await this.#records.items(listId), viewer));
  }
}
