import { givenRows } from "@longbox/sdk";
import type { Selectable } from "kysely";
import type { Position, ReadingState } from "../contract.js";
import type { Progress } from "../progress/merging.js";
import { fractionOf, placesOf } from "../progress/places.js";
import type { ProgressTable } from "../tables.js";

export interface WorkKey {
  readonly userId: number;
  readonly issueId: number;
}

/** What the collection knows of a work when something is recorded. */
export interface WorkHints {
  readonly seriesId: number;
  readonly type: string;
}

/** The columns of `progress` as {@link givenRows} carries them. */
export const progressColumns = {
  user_id: "id",
  issue_id: "id",
  series_id: "id",
  work_type: "text",
  kind: "text",
  place: "real",
  fraction: "real",
  device: "text",
  placed_at: "instant",
  read_at: "instant",
  completed: "flag",
  finished_at: "instant",
  times_finished: "count",
  begun_at: "instant",
  went_back_at: "instant",
  went_back_from: "real",
  counted_pages: "count",
  counted_seconds: "count",
  counted_at: "instant",
  counted_finish_at: "instant",
  pages: "count",
  duration_seconds: "real",
  locator: "text",
  locator_fraction: "real",
} as const satisfies Readonly<Record<keyof ProgressTable, string>>;

/** Works of users as a table to join. */
export function givenWorks(works: readonly WorkKey[]) {
  const rows = works.map(({ userId, issueId }) => ({ user_id: userId, issue_id: issueId }));
  return givenRows({ user_id: "id", issue_id: "id" }, rows).as<"given">("given");
}

export type ProgressRow = Selectable<ProgressTable>;

export function toProgress(row: ProgressRow): Progress {
  return {
    position: toPosition(row),
    device: row.device,
    placedAt: row.placed_at,
    readAt: row.read_at,
    completed: row.completed === 1,
    finishedAt: row.finished_at ?? undefined,
    timesFinished: row.times_finished,
    begunAt: row.begun_at,
    wentBackAt: row.went_back_at,
    wentBackFrom: row.went_back_from,
    counted: {
      pages: row.counted_pages,
      seconds: row.counted_seconds,
      at: row.counted_at,
      finishAt: row.counted_finish_at,
    },
    measures: {
      pages: row.pages ?? undefined,
      durationSeconds: row.duration_seconds ?? undefined,
      locator: row.locator === null ? undefined : { text: row.locator, fraction: row.locator_fraction ?? 0 },
    },
  };
}

export function toRow({ userId, issueId }: WorkKey, work: WorkHints, progress: Progress): ProgressRow {
  const { position, counted, measures } = progress;
  return {
    user_id: userId,
    issue_id: issueId,
    series_id: work.seriesId,
    work_type: work.type,
    kind: position?.kind ?? "none",
    place: placeOf(position),
    fraction: position ? fractionOf(position) : 0,
    device: progress.device,
    placed_at: progress.placedAt,
    read_at: progress.readAt,
    completed: progress.completed ? 1 : 0,
    finished_at: progress.finishedAt ?? null,
    times_finished: progress.timesFinished,
    begun_at: progress.begunAt,
    went_back_at: progress.wentBackAt,
    went_back_from: progress.wentBackFrom,
    counted_pages: counted.pages,
    counted_seconds: counted.seconds,
    counted_at: counted.at,
    counted_finish_at: counted.finishAt,
    pages: measures.pages ?? null,
    duration_seconds: measures.durationSeconds ?? null,
    locator: measures.locator?.text ?? null,
    locator_fraction: measures.locator?.fraction ?? null,
  };
}

/** Undefined while the work counts as unread. */
export function toState(issueId: number, progress: Progress): ReadingState | undefined {
  const { position } = progress;
  return position && stateAt(issueId, progress, position);
}

export function stateAt(issueId: number, progress: Progress, position: Position): ReadingState {
  return {
    issueId,
    position,
    fraction: fractionOf(position),
    places: placesOf(position, progress.measures),
    device: progress.device,
    at: isoTime(progress.readAt),
    completed: progress.completed,
    finishedAt: progress.finishedAt === undefined ? undefined : isoTime(progress.finishedAt),
    timesFinished: progress.timesFinished,
  };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function placeOf(position: Position | undefined): number {
  if (position?.kind === "page") return position.page;
  return position?.kind === "time" ? position.seconds : 0;
}

function toPosition(row: ProgressRow): Position | undefined {
  if (row.kind === "page") return { kind: "page", page: row.place, pages: row.pages ?? row.place + 1 };
  if (row.kind === "time") return { kind: "time", seconds: row.place, duration: row.duration_seconds ?? 0 };
  if (row.kind !== "locator") return undefined;
  const isOwn = row.locator_fraction === row.fraction;
  return { kind: "locator", locator: isOwn ? (row.locator ?? "") : "", fraction: row.fraction };
}
