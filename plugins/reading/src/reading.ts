import type { CollectionContract, WorksContract } from "@longbox/collection/contract";
import type { Contributions, Topic, Viewer } from "@longbox/sdk";
import { FormPlaces } from "./forms/form-places.js";
import type {
  ActivityQuery,
  ChapterSource,
  DevicePosition,
  HistoryRange,
  ReadingContract,
  ReadingGain,
  ReadingRange,
  ReadingReport,
  ReadingState,
} from "./contract.js";
import type { DeviceRecords } from "./keeping/device-records.js";
import type { LaterRecords } from "./keeping/later-records.js";
import type { ProgressRecords } from "./keeping/progress-records.js";
import { isoTime, toProgress, toState } from "./keeping/progress-rows.js";
import type { DevicePlace } from "./progress/merging.js";
import { fractionOf } from "./progress/places.js";
import type { ReadingLists } from "./reading-lists.js";
import type { ReadingChange, Recording } from "./recording.js";
import type { History } from "./statistics/history.js";
import type { Statistics } from "./statistics/statistics.js";
import { visibleWorks } from "./visible-works.js";

interface Parts {
  readonly library: CollectionContract;
  readonly progress: ProgressRecords;
  readonly devices: DeviceRecords;
  readonly later: LaterRecords;
  readonly recording: Recording;
  readonly lists: ReadingLists;
  readonly works: WorksContract;
  readonly chapters: Contributions<ChapterSource>;
  readonly history: History;
  readonly statistics: Statistics;
  readonly read: Topic<ReadingGain>;
  readonly changed: Topic<ReadingChange>;
}

/** Implements the contract with its parts. */
export function readingContract(parts: Parts): ReadingContract {
  const { recording, lists, history, statistics, read, changed } = parts;
  const forms = new FormPlaces({ ...parts, find: (viewer, issueIds) => find(parts, viewer, issueIds) });
  return {
    report: (viewer: Viewer, issueId: number, report: ReadingReport) => recording.report(viewer, issueId, report),
    mark: (viewer: Viewer, issueIds: readonly number[], isRead: boolean) => recording.mark(viewer, issueIds, isRead),
    find: (viewer: Viewer, issueIds: readonly number[]) => find(parts, viewer, issueIds),
    findDevices: (viewer: Viewer, issueId: number) => findDevices(parts, viewer, issueId),
    findFurther: async (viewer: Viewer, issueId: number, device: string) =>
      furtherThan(device, await findDevices(parts, viewer, issueId)),
    findFormPlaces: (viewer: Viewer, issueId: number) => forms.find(viewer, issueId),
    listContinue: (viewer: Viewer, range: ReadingRange) => lists.continue(viewer, range),
    listFinished: (viewer: Viewer, range: ReadingRange) => lists.finished(viewer, range),
    listFinishedSeries: (viewer: Viewer, range: Pick<ReadingRange, "limit">) => lists.finishedSeries(viewer, range),
    findTouchedSeries: (viewer: Viewer, seriesIds: readonly number[]) =>
      parts.progress.findSeries(viewer.user.id, seriesIds),
    setLater: (viewer: Viewer, issueId: number, later: boolean) => recording.setLater(viewer, issueId, later),
    findLater: (viewer: Viewer, issueIds: readonly number[]) => findLater(parts, viewer, issueIds),
    listLater: (viewer: Viewer, range: ReadingRange) => lists.later(viewer, range),
    history: (viewer: Viewer, range: HistoryRange) => history.read(viewer, range),
    activity: (viewer: Viewer, query: ActivityQuery) => statistics.activity(viewer, query),
    statistics: (viewer: Viewer, query: ActivityQuery) => statistics.read(viewer, query),
    onRead: (listener) => read.subscribe(listener),
    onChanged: (listener) => changed.subscribe(listener),
  };
}

async function find(
  { library, progress }: Parts,
  viewer: Viewer,
  issueIds: readonly number[],
): Promise<ReadingState[]> {
  const rows = await progress.find(viewer.user.id, issueIds);
  const works = await visibleWorks(
    library,
    rows.map((row) => row.issue_id),
    viewer,
  );
  return rows.flatMap((row) => {
    const state = works.has(row.issue_id) ? toState(row.issue_id, toProgress(row)) : undefined;
    return state ? [state] : [];
  });
}

async function findLater(
  { library, later }: Parts,
  viewer: Viewer,
  issueIds: readonly number[],
): Promise<readonly number[]> {
  const works = await visibleWorks(library, await later.find(viewer.user.id, issueIds), viewer);
  return [...works.keys()];
}

async function findDevices({ library, devices }: Parts, viewer: Viewer, issueId: number): Promise<DevicePosition[]> {
  const works = await visibleWorks(library, [issueId], viewer);
  if (!works.has(issueId)) return [];
  return (await devices.list({ userId: viewer.user.id, issueId })).map(toDevicePosition);
}

/** @param all - Where the viewer's devices were last */
function furtherThan(device: string, all: readonly DevicePosition[]): DevicePosition | undefined {
  const own = all.find((one) => one.device === device)?.fraction ?? 0;
  return all
    .filter((one) => one.device !== device && one.fraction > own)
    .sort((one, other) => other.fraction - one.fraction)[0];
}

function toDevicePosition({ device, position, at }: DevicePlace): DevicePosition {
  return { device, position, fraction: fractionOf(position), at: isoTime(at) };
}
