import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { LaterEntry, ReadingEntry, ReadingPart, ReadingRange } from "./contract.js";
import { readPlace, writePlace } from "./cursors.js";
import type { LaterRecords } from "./keeping/later-records.js";
import type { ListPart, Place, ProgressRecords } from "./keeping/progress-records.js";
import { isoTime, toProgress, toState, type ProgressRow } from "./keeping/progress-rows.js";
import { visibleWorks } from "./visible-works.js";

/** How many rows are looked up at once, since some may be hidden. */
const fewest = 50;
const most = 500;
/** How many series are searched for finished works, since some may be hidden. */
const mostSeries = 2000;

interface Sources {
  readonly library: CollectionContract;
  readonly progress: ProgressRecords;
  /** For what looks at everything of a user. */
  readonly allProgress: ProgressRecords;
  readonly later: LaterRecords;
}

interface Placed extends Place {
  readonly row?: ProgressRow;
}

/** The source of a list's rows, and the mapping of each; undefined leaves a row out. */
interface Choosing<T> {
  read(part: ListPart): Promise<Placed[]>;
  choose(issue: Issue, placed: Placed): T | undefined;
}

/** The lists of works to read and works read, without hidden ones. */
export class ReadingLists {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  async continue(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<ReadingEntry>> {
    const read = async (part: ListPart) =>
      (await this.#sources.progress.listBegun(viewer.user.id, part)).map((row) => placed(row, row.read_at));
    return this.#part(viewer, range, {
      read,
      choose: (issue, { row }) => (issue.owned ? entry(issue, row) : undefined),
    });
  }

  async finished(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<ReadingEntry>> {
    const read = async (part: ListPart) =>
      (await this.#sources.progress.listFinished(viewer.user.id, part)).map((row) => placed(row, row.finished_at ?? 0));
    return this.#part(viewer, range, { read, choose: (issue, { row }) => entry(issue, row) });
  }

  async later(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<LaterEntry>> {
    const userId = viewer.user.id;
    const { types } = range;
    const part = await this.#part(viewer, range, {
      read: (asked) => this.#sources.later.list(userId, asked),
      choose: (issue, { at }) => (types && !types.includes(issue.type) ? undefined : { issue, addedAt: isoTime(at) }),
    });
    const rows = await this.#sources.progress.find(
      userId,
      part.items.map(({ issue }) => issue.id),
    );
    const states = new Map(rows.map((row) => [row.issue_id, toState(row.issue_id, toProgress(row))]));
    return { ...part, items: part.items.map((item) => ({ ...item, state: states.get(item.issue.id) })) };
  }

  async finishedSeries(viewer: Viewer, { limit }: Pick<ReadingRange, "limit">): Promise<ReadingEntry[]> {
    const rows = await this.#sources.allProgress.listFinishedSeries(viewer.user.id, mostSeries);
    const entries: ReadingEntry[] = [];
    for (let start = 0; start < rows.length && entries.length < limit; start += fewest) {
      const part = rows.slice(start, start + fewest);
      const works = await this.#works(part, viewer);
      entries.push(...part.flatMap((row) => entryOf(works.get(row.issue_id), row)));
    }
    return entries.slice(0, limit);
  }

  /** Reads rows until enough of them are visible, or there are no more. */
  async #part<T>(
    viewer: Viewer,
    { limit, after, types }: ReadingRange,
    { read, choose }: Choosing<T>,
  ): Promise<ReadingPart<T>> {
    const items: T[] = [];
    const batch = Math.min(most, Math.max(fewest, limit));
    for (let from = readPlace(after); ;) {
      const rows = await read({ after: from, limit: batch, types });
      const works = await visibleWorks(
        this.#sources.library,
        rows.map(({ issueId }) => issueId),
        viewer,
      );
      for (const row of rows) {
        const issue = works.get(row.issueId);
        const item = issue && choose(issue, row);
        if (item === undefined) continue;
        if (items.push(item) === limit) return { items, next: writePlace(row) };
      }
      if (rows.length < batch) return { items, next: undefined };
      from = rows.at(-1);
    }
  }

  #works(rows: readonly ProgressRow[], viewer: Viewer): Promise<Map<number, Issue>> {
    return visibleWorks(
      this.#sources.library,
      rows.map((row) => row.issue_id),
      viewer,
    );
  }
}

function placed(row: ProgressRow, at: number): Placed {
  return { issueId: row.issue_id, at, row };
}

function entryOf(issue: Issue | undefined, row: ProgressRow): ReadingEntry[] {
  const made = issue && entry(issue, row);
  return made ? [made] : [];
}

function entry(issue: Issue, row: ProgressRow | undefined): ReadingEntry | undefined {
  const state = row && toState(row.issue_id, toProgress(row));
  return state && { issue, state };
}
