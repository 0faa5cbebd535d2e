import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { LaterRecords } from "./later-records.js";
import type { ProgressRecord, ProgressRecords } from "./progress-records.js";
import { shelfItem, type ShelfItem } from "./shelf-items.js";
import { visibleIssues } from "./visible-issues.js";

/** Finished issues that are looked through, of which some may be hidden. */
const finishedLookedAt = 500;
/** Series that are looked through for one to go on with. */
const seriesLookedAt = 500;
/** Read issues that are passed over one by one in search of the next one, before all of the series is looked at. */
const mostSkipped = 3;
/** Series and issues that are looked through for something new, a page at a time. */
const lookedAtOnce = 60;
const mostLookedAt = 600;

/** What a user may want to read now, each time as the viewer may see it. */
export class Shelves {
  readonly #library: CollectionContract;
  readonly #progress: ProgressRecords;
  readonly #later: LaterRecords;

  constructor(library: CollectionContract, progress: ProgressRecords, later: LaterRecords) {
    this.#library = library;
    this.#progress = progress;
    this.#later = later;
  }

  /** Begun, not finished, and there to be read on, last read first. */
  async continue(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    return this.#shelve(await this.#progress.listBegun(viewer.user.id), viewer, { limit, only: isReadable });
  }

  async recentlyFinished(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    return this.#shelve(await this.#progress.listFinished(viewer.user.id, finishedLookedAt), viewer, { limit });
  }

  /** Put aside to read later, last added first. */
  async later(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const items: ShelfItem[] = [];
    for await (const { issue } of visibleIssues(this.#library, await this.#later.list(viewer.user.id), viewer)) {
      items.push(shelfItem(issue, await this.#progress.findOne({ userId: viewer.user.id, issueId: issue.id })));
      if (items.length === limit) break;
    }
    return items;
  }

  /** In each series in which something was finished and nothing is open: the next unread issue, last read series first. */
  async nextUp(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const userId = viewer.user.id;
    const open = await this.#openSeries(viewer);
    const items: ShelfItem[] = [];
    for await (const { issue } of visibleIssues(this.#library, await this.#progress.listFinishedBySeries(userId, seriesLookedAt), viewer)) {
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
      const known = await this.#progressOf(viewer, issues);
      items.push(...issues.filter((issue) => isReadable(issue) && !known.has(issue.id)).map((issue) => shelfItem(issue, undefined)));
      if (issues.length < lookedAtOnce) break;
    }
    return items.slice(0, limit);
  }

  /** The first issue of each series that the user has not touched, newest series first. */
  async startNew(viewer: Viewer, limit: number): Promise<ShelfItem[]> {
    const touched = new Set(await this.#progress.listSeriesTouched(viewer.user.id));
    const items: ShelfItem[] = [];
    for (let offset = 0; offset < mostLookedAt && items.length < limit; offset += lookedAtOnce) {
      const { items: series } = await this.#library.listSeries({ sort: "added", limit: lookedAtOnce, offset }, viewer);
      for (const { id } of series) {
        if (touched.has(id) || items.length === limit) continue;
        const first = (await this.#library.listIssues(id, viewer)).find(isReadable);
        if (first) items.push(shelfItem(first, undefined));
      }
      if (series.length < lookedAtOnce) break;
    }
    return items;
  }

  async #shelve(records: readonly ProgressRecord[], viewer: Viewer, { limit, only = () => true }: { limit: number; only?: (issue: Issue) => boolean }): Promise<ShelfItem[]> {
    const items: ShelfItem[] = [];
    for await (const { record, issue } of visibleIssues(this.#library, records, viewer)) {
      if (only(issue)) items.push(shelfItem(issue, record));
      if (items.length === limit) break;
    }
    return items;
  }

  /** Series that the shelf of what is to be continued holds something of. */
  async #openSeries(viewer: Viewer): Promise<Set<number>> {
    const open = new Set<number>();
    for await (const { issue } of visibleIssues(this.#library, await this.#progress.listBegun(viewer.user.id), viewer)) if (isReadable(issue)) open.add(issue.seriesId);
    return open;
  }

  async #nextUnread(after: Issue, viewer: Viewer): Promise<Issue | undefined> {
    let issue: Issue | undefined = after;
    for (let skipped = 0; skipped < mostSkipped && issue; skipped++) {
      issue = (await this.#library.neighbours(issue.id, viewer)).next;
      if (!issue) return undefined;
      const progress = await this.#progress.findOne({ userId: viewer.user.id, issueId: issue.id });
      if (!progress?.completed && isReadable(issue)) return issue;
    }
    return issue && this.#firstUnreadAfter(issue, viewer);
  }

  async #firstUnreadAfter({ id, seriesId }: Issue, viewer: Viewer): Promise<Issue | undefined> {
    const issues = await this.#library.listIssues(seriesId, viewer);
    const later = issues.slice(issues.findIndex((issue) => issue.id === id) + 1).filter(isReadable);
    const records = await this.#progress.find(viewer.user.id, later.map((issue) => issue.id));
    const read = new Set(records.filter((record) => record.completed).map((record) => record.issueId));
    return later.find((issue) => !read.has(issue.id));
  }

  async #progressOf(viewer: Viewer, issues: readonly Issue[]): Promise<ReadonlySet<number>> {
    const records = await this.#progress.find(viewer.user.id, issues.map((issue) => issue.id));
    return new Set(records.map((record) => record.issueId));
  }
}

function isReadable(issue: Issue): boolean {
  return issue.owned && issue.pages > 0;
}
