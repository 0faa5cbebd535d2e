import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { inBatches, type Viewer } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { Position, ReadingGain, ReadingReport, ReadingState } from "./contract.js";
import { ChangeQueue } from "./change-queue.js";
import { DeviceRecords } from "./keeping/device-records.js";
import { recordTogether, type Recorded, type ToldWork } from "./keeping/known-works.js";
import { LaterRecords } from "./keeping/later-records.js";
import { ProgressRecords } from "./keeping/progress-records.js";
import { isoTime, stateAt, toProgress, toState, type WorkKey } from "./keeping/progress-rows.js";
import { markedRead, markedUnread } from "./progress/marking.js";
import { nothingRead, type Merged, type Progress, type Report } from "./progress/merging.js";
import { readReport } from "./reports.js";
import type { ReadingTables } from "./tables.js";
import { getWork, getWorks } from "./visible-works.js";

/** Works that are marked in one transaction. */
const markedAtOnce = 500;

export interface ReadingChange {
  readonly userId: number;
  readonly issueIds: readonly number[];
}

/** The listeners for recorded reports. */
export interface Listeners {
  readonly changed: (change: ReadingChange) => void;
  readonly read: (gain: ReadingGain) => void;
}

interface Parts {
  readonly database: Kysely<ReadingTables>;
  readonly library: CollectionContract;
  readonly listeners: Listeners;
}

/** Records what users read and mark. */
export class Recording {
  readonly #parts: Parts;
  /** Reports and marks in the order of arrival, independent of the isolation of transactions. */
  readonly #changes: ChangeQueue<ToldWork, Recorded>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#changes = new ChangeQueue((reports) => recordTogether(parts.database, reports));
  }

  /** @throws {WorkNotFound} @throws {BadInput} */
  async report(viewer: Viewer, issueId: number, told: ReadingReport): Promise<ReadingState> {
    const report = readReport(told, Date.now());
    const work = await getWork(this.#parts.library, issueId, viewer);
    const key = { userId: viewer.user.id, issueId: work.id };
    const { kept, merged } = await this.#changes.add({ key, work, told: report });
    if (!merged) return toState(work.id, kept) ?? unreadState(work.id, kept, report);
    this.#tell(key, report, merged);
    return toState(work.id, merged.progress) ?? unreadState(work.id, merged.progress, report);
  }

  /** Marks all of the works or none. @throws {WorkNotFound} */
  async mark(viewer: Viewer, issueIds: readonly number[], read: boolean): Promise<number> {
    const { database, library, listeners } = this.#parts;
    const works = await getWorks(library, [...new Set(issueIds)], viewer);
    const userId = viewer.user.id;
    await this.#changes.alone(() =>
      database.transaction().execute(async (transaction) => {
        for (const part of inBatches(works, markedAtOnce)) await mark(transaction, part, { userId, read });
      }),
    );
    if (works.length > 0) listeners.changed({ userId, issueIds: works.map(({ id }) => id) });
    return works.length;
  }

  /** @throws {WorkNotFound} */
  async setLater(viewer: Viewer, issueId: number, later: boolean): Promise<void> {
    const { database, library, listeners } = this.#parts;
    const work = await getWork(library, issueId, viewer);
    const key = { userId: viewer.user.id, issueId: work.id };
    const records = new LaterRecords(database);
    await (later ? records.add(key, Date.now()) : records.remove(key.userId, [key.issueId]));
    listeners.changed({ userId: key.userId, issueIds: [key.issueId] });
  }

  #tell(key: WorkKey, report: Report, { gainedPages, gainedSeconds, finished }: Merged): void {
    this.#parts.listeners.changed({ userId: key.userId, issueIds: [key.issueId] });
    if (gainedPages > 0 || gainedSeconds > 0 || finished)
      this.#parts.listeners.read({ ...key, gainedPages, gainedSeconds, finished, at: isoTime(report.at) });
  }
}

async function mark(
  database: Kysely<ReadingTables>,
  works: readonly Issue[],
  { userId, read }: { readonly userId: number; readonly read: boolean },
): Promise<void> {
  const ids = works.map(({ id }) => id);
  const at = Date.now();
  const records = new ProgressRecords(database);
  const kept = new Map((await records.find(userId, ids)).map((row) => [row.issue_id, toProgress(row)]));
  const marked = works
    .filter(({ id }) => read || kept.has(id))
    .map(({ id, seriesId, type, pages }) => {
      const before = kept.get(id) ?? nothingRead;
      const progress = read ? markedRead(before, pages, at) : markedUnread(before, at);
      return { userId, issueId: id, work: { seriesId, type }, progress };
    });
  await records.put(marked);
  await (read ? new LaterRecords(database).remove(userId, ids) : new DeviceRecords(database).clear(userId, ids));
}

/** The answer to a report of an earlier reading of a work that is now unread. */
function unreadState(issueId: number, kept: Progress, { position }: Report): ReadingState {
  const start = startOf(position);
  return { ...stateAt(issueId, { ...kept, readAt: kept.begunAt, device: "" }, start), fraction: 0 };
}

function startOf(position: Position): Position {
  if (position.kind === "page") return { ...position, page: 0 };
  if (position.kind === "time") return { ...position, seconds: 0 };
  return { kind: "locator", locator: "", fraction: 0 };
}
