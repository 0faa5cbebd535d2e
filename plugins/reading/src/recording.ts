import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { Position, ReadingGain, ReadingReport, ReadingState } from "./contract.js";
import { DeviceRecords } from "./keeping/device-records.js";
import { HistoryRecords } from "./keeping/history-records.js";
import { LaterRecords } from "./keeping/later-records.js";
import { ProgressRecords } from "./keeping/progress-records.js";
import { isoTime, stateAt, toProgress, toState, type WorkKey } from "./keeping/progress-rows.js";
import { slices } from "./keeping/slices.js";
import { markedRead, markedUnread } from "./progress/marking.js";
import { mergeReport, nothingRead, type Merged, type Progress, type Report } from "./progress/merging.js";
import { readReport } from "./reports.js";
import type { ReadingTables } from "./tables.js";
import type { UserTurns } from "./user-turns.js";
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
  readonly turns: UserTurns;
  readonly listeners: Listeners;
}

/** Records what users read and mark. */
export class Recording {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws {WorkNotFound} @throws {BadInput} */
  async report(viewer: Viewer, issueId: number, told: ReadingReport): Promise<ReadingState> {
    const { database, library, turns } = this.#parts;
    const report = readReport(told, Date.now());
    const work = await getWork(library, issueId, viewer);
    const key = { userId: viewer.user.id, issueId: work.id };
    const { kept, merged } = await turns.take(key.userId, () =>
      database.transaction().execute((transaction) => record(transaction, { key, work, told: report })),
    );
    if (!merged) return toState(work.id, kept) ?? unreadState(work.id, kept, report);
    this.#tell(key, report, merged);
    return toState(work.id, merged.progress) ?? unreadState(work.id, merged.progress, report);
  }

  /** Marks all of the works or none. @throws {WorkNotFound} */
  async mark(viewer: Viewer, issueIds: readonly number[], read: boolean): Promise<number> {
    const { database, library, turns, listeners } = this.#parts;
    const works = await getWorks(library, [...new Set(issueIds)], viewer);
    const userId = viewer.user.id;
    await turns.take(userId, () =>
      database.transaction().execute(async (transaction) => {
        for (const part of slices(works, markedAtOnce)) await mark(transaction, part, { userId, read });
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

interface ToldWork {
  readonly key: WorkKey;
  readonly work: Issue;
  readonly told: Report;
}

async function record(
  database: Kysely<ReadingTables>,
  { key, work, told }: ToldWork,
): Promise<{ kept: Progress; merged: Merged | undefined }> {
  const [records, devices] = [new ProgressRecords(database), new DeviceRecords(database)];
  const kept = withPages(await records.get(key), work.pages);
  const places = await devices.list(key);
  const report = { ...told, position: withDuration(told.position, kept) };
  const merged = mergeReport(kept, places, report);
  if (!merged) return { kept, merged };
  const hints = { seriesId: work.seriesId, type: work.type };
  await records.put([{ ...key, work: hints, progress: merged.progress }]);
  await devices.put(key, places, report);
  await new HistoryRecords(database).add(key, hints, { report, gained: merged });
  if (merged.progress.completed) await new LaterRecords(database).remove(key.userId, [key.issueId]);
  return { kept, merged };
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

/** A work that was never reported by pages may have some. */
function withPages(progress: Progress, pages: number): Progress {
  const measures = { ...progress.measures, pages: progress.measures.pages ?? (pages || undefined) };
  return { ...progress, measures };
}

function withDuration(position: Position, { measures }: Progress): Position {
  return position.kind === "time" && position.duration === 0 && measures.durationSeconds
    ? { ...position, duration: measures.durationSeconds }
    : position;
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
