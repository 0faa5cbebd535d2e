import type { Issue } from "@longbox/collection/contract";
import { atOnce } from "@longbox/sdk";
import type { Kysely, Transaction } from "kysely";
import { mergeReport, type DevicePlace, type Merged, type Progress, type Report } from "../progress/merging.js";
import type { ReadingTables } from "../tables.js";
import { DeviceRecords, withPlace } from "./device-records.js";
import { HistoryRecords, type HistoryGain } from "./history-records.js";
import { LaterRecords } from "./later-records.js";
import { ProgressRecords } from "./progress-records.js";
import type { WorkHints, WorkKey } from "./progress-rows.js";

/** A report of a user's, with the work as the collection knows it. */
export interface ToldWork {
  readonly key: WorkKey;
  readonly work: Issue;
  readonly told: Report;
}

export interface Recorded {
  /** The progress before the report. */
  readonly kept: Progress;
  /** Undefined when the report belongs to an earlier reading. */
  readonly merged: Merged | undefined;
}

interface KnownWork {
  readonly key: WorkKey;
  hints: WorkHints;
  progress: Progress;
  readonly storedPlaces: readonly DevicePlace[];
  places: readonly DevicePlace[];
  isChanged: boolean;
}

/** Records reports in one transaction, with as many statements for a hundred as for one. */
export async function recordTogether(
  database: Kysely<ReadingTables>,
  reports: readonly ToldWork[],
): Promise<readonly Recorded[]> {
  return database.transaction().execute(async (transaction) => {
    const known = await KnownWorks.read(transaction, reports);
    const recorded = reports.map((report) => known.record(report));
    await known.store(transaction);
    return recorded;
  });
}

/** The progress in some works while reports are merged into it. */
class KnownWorks {
  readonly #works: ReadonlyMap<string, KnownWork>;
  readonly #gains: HistoryGain[] = [];

  private constructor(works: ReadonlyMap<string, KnownWork>) {
    this.#works = works;
  }

  static async read(database: Transaction<ReadingTables>, reports: readonly ToldWork[]): Promise<KnownWorks> {
    const told = new Map(reports.map((report) => [nameOf(report.key), report]));
    const keys = [...told.values()].map(({ key }) => key);
    const [progress, places] = await atOnce(database, (each) =>
      Promise.all([new ProgressRecords(each).getEach(keys), new DeviceRecords(each).listEach(keys)]),
    );
    const works = keys.map((key, index): [string, KnownWork] => {
      const { seriesId, type } = told.get(nameOf(key))!.work;
      const stored = places[index]!;
      const before = { progress: progress[index]!, storedPlaces: stored, places: stored, isChanged: false };
      return [nameOf(key), { key, hints: { seriesId, type }, ...before }];
    });
    return new KnownWorks(new Map(works));
  }

  record({ key, work, told }: ToldWork): Recorded {
    const known = this.#works.get(nameOf(key))!;
    const kept = withPages(known.progress, work.pages);
    const report = { ...told, position: withDuration(told.position, kept) };
    const merged = mergeReport(kept, known.places, report);
    if (!merged) return { kept, merged };
    known.progress = merged.progress;
    known.places = withPlace(known.places, report);
    known.hints = { seriesId: work.seriesId, type: work.type };
    known.isChanged = true;
    this.#gains.push({ key, work: known.hints, report, gained: merged });
    return { kept, merged };
  }

  async store(database: Transaction<ReadingTables>): Promise<void> {
    const changed = [...this.#works.values()].filter(({ isChanged }) => isChanged);
    if (changed.length === 0) return;
    const rows = changed.map(({ key, hints, progress }) => ({ ...key, work: hints, progress }));
    await atOnce(database, (each) =>
      Promise.all([
        new ProgressRecords(each).put(rows),
        new DeviceRecords(each).replace(changed),
        new HistoryRecords(each).add(this.#gains),
        removeLater(each, changed),
      ]),
    );
  }
}

/** What has been read is not for later. */
async function removeLater(database: Kysely<ReadingTables>, works: readonly KnownWork[]): Promise<void> {
  const completed = works.filter(({ progress }) => progress.completed);
  const later = new LaterRecords(database);
  for (const [userId, own] of Map.groupBy(completed, ({ key }) => key.userId))
    await later.remove(
      userId,
      own.map(({ key }) => key.issueId),
    );
}

function nameOf({ userId, issueId }: WorkKey): string {
  return `${userId} ${issueId}`;
}

/** A work that was never reported by pages may have some. */
function withPages(progress: Progress, pages: number): Progress {
  const measures = { ...progress.measures, pages: progress.measures.pages ?? (pages || undefined) };
  return { ...progress, measures };
}

function withDuration(position: Report["position"], { measures }: Progress): Report["position"] {
  return position.kind === "time" && position.duration === 0 && measures.durationSeconds
    ? { ...position, duration: measures.durationSeconds }
    : position;
}
