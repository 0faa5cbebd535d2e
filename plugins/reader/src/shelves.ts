import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { ReadingContract, ReadingPart } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { shelfItem, type ShelfItem } from "./shelf-items.js";

/** How many series are searched for one to continue. */
const seriesLookedAt = 500;
/** How many read issues are skipped one by one in search of the next one, before the whole series is loaded. */
const mostSkipped = 3;
/** Series and issues that are looked through for something new, a page at a time. */
const lookedAtOnce = 60;
const mostLookedAt = 600;

/** The reading shelves of a user, without what is hidden from the viewer. */
export class Shelves {
  readonly #library: CollectionContract;
  readonly #reading: ReadingContract;

  constructor(library: CollectionContract, reading: ReadingContract) {
    this.#library = library;
    this.#reading = reading;
  }

  /** In progress and with a readable file, last read first. */
  async continue(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const list = (after: string | undefined) => this.#reading.listContinue(viewer, { limit, after });
    return take(limit, list, ({ issue, state }) => (isReadable(issue) ? shelfItem(issue, state) : undefined));
  }

  async recentlyFinished(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const { items } = await this.#reading.listFinished(viewer, { limit });
    return items.map(({ issue, state }) => shelfItem(issue, state));
  }

  /** On the read-later shelf, last added first. */
  async later(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const { items } = await this.#reading.listLater(viewer, { limit });
    return items.map(({ issue, state }) => shelfItem(issue, state));
  }

  /**
   * In each series in which something was finished and nothing is open: the next unread issue, last read series first.
   */
  async nextUp(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const open = await this.#openSeries(viewer);
    const items: ShelfItem[] = [];
    for (const { issue } of await this.#reading.listFinishedSeries(viewer, { limit: seriesLookedAt })) {
      if (open.has(issue.seriesId)) continue;
      open.add(issue.seriesId);
      const next = await this.#nextUnread(issue, viewer);
      if (next) items.push(shelfItem(next, undefined));
      if (items.length === limit) break;
    }
    return items;
  }

  /** Newest in the library, unread. */
  async newInLibrary(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const items: ShelfItem[] = [];
    for (let offset = 0; offset < mostLookedAt && items.length < limit; offset += lookedAtOnce) {
      const { items: issues } = await this.#library.listRecentlyAdded({ limit: lookedAtOnce, offset }, viewer);
      const known = await this.#begun(viewer, issues);
      items.push(
        ...issues
          .filter((issue) => isReadable(issue) && !known.has(issue.id))
          .map((issue) => shelfItem(issue, undefined)),
      );
      if (issues.length < lookedAtOnce) break;
    }
    return items.slice(0, limit);
  }

  /** The first issue of each series that the user has not touched, newest series first. */
  async startNew(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const items: ShelfItem[] = [];
    for (let offset = 0; offset < mostLookedAt && items.length < limit; offset += lookedAtOnce) {
      const { items: series } = await this.#library.listSeries({ sort: "added", limit: lookedAtOnce, offset }, viewer);
      const ids = series.map(({ id }) => id);
      const touched = new Set(await this.#reading.findTouchedSeries(viewer, ids));
      for (const id of ids) {
        if (touched.has(id) || items.length === limit) continue;
        const first = (await this.#library.listIssues(id, viewer)).find(isReadable);
        if (first) items.push(shelfItem(first, undefined));
      }
      if (series.length < lookedAtOnce) break;
    }
    return items;
  }

  /** Series of which the shelf "Continue reading" holds an issue. */
  async #openSeries(viewer: Viewer): Promise<Set<number>> {
    const list = (after: string | undefined) => this.#reading.listContinue(viewer, { limit: seriesLookedAt, after });
    const open = await take(Infinity, list, ({ issue }) => (isReadable(issue) ? issue.seriesId : undefined));
    return new Set(open);
  }

  async #nextUnread(after: Issue, viewer: Viewer): Promise<Issue | undefined> {
    let issue: Issue | undefined = after;
    for (let skipped = 0; skipped < mostSkipped && issue; skipped++) {
      issue = (await this.#library.neighbours(issue.id, viewer)).next;
      if (!issue) return undefined;
      const [state] = await this.#reading.find(viewer, [issue.id]);
      if (!state?.completed && isReadable(issue)) return issue;
    }
    return issue && this.#firstUnreadAfter(issue, viewer);
  }

  async #firstUnreadAfter({ id, seriesId }: Issue, viewer: Viewer): Promise<Issue | undefined> {
    const issues = await this.#library.listIssues(seriesId, viewer);
    const later = issues.slice(issues.findIndex((issue) => issue.id === id) + 1).filter(isReadable);
    const states = await this.#reading.find(
      viewer,
      later.map((issue) => issue.id),
    );
    const read = new Set(states.filter(({ completed }) => completed).map(({ issueId }) => issueId));
    return later.find((issue) => !read.has(issue.id));
  }

  async #begun(viewer: Viewer, issues: readonly Issue[]): Promise<ReadonlySet<number>> {
    const states = await this.#reading.find(
      viewer,
      issues.map((issue) => issue.id),
    );
    return new Set(states.map(({ issueId }) => issueId));
  }
}

/** What is chosen of a list that comes in parts, up to so many. */
async function take<T, R>(
  limit: number,
  list: (after: string | undefined) => Promise<ReadingPart<T>>,
  choose: (item: T) => R | undefined,
): Promise<R[]> {
  const chosen: R[] = [];
  for (let after: string | undefined; ;) {
    const { items, next } = await list(after);
    for (const item of items) {
      const choice = choose(item);
      if (choice !== undefined && chosen.push(choice) === limit) return chosen;
    }
    if (next === undefined) return chosen;
    after = next;
  }
}

function isReadable(issue: Issue): boolean {
  return issue.owned && !issue.corrupt;
}
