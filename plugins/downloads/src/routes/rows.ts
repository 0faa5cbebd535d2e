import type { Activity } from "@longbox/sdk";
import type { z } from "zod";
import type { HistoryRow } from "../keeping/history-records.js";
import type { Item } from "../queue/item-records.js";
import type { Live } from "../queue/live.js";
import type { ItemState } from "../queue/states.js";
import type { historyRowSchema, itemSchema, packSchema } from "../shapes.js";

type PackState = z.input<typeof packSchema>["status"];

const packStates: Readonly<Record<ItemState, PackState>> = {
  queued: "active",
  searching: "active",
  downloading: "active",
  grabbed: "active",
  importing: "importing",
  done: "imported",
  failed: "failed",
  cancelled: "cancelled",
};

export function itemRow(item: Item, live: Live): z.input<typeof itemSchema> {
  return {
    id: item.id,
    issueId: item.issue_id ?? 0,
    cvIssueId: item.cv_issue_id ?? 0,
    seriesId: item.series_id,
    series: item.series_title,
    number: item.number,
    status: item.state,
    attempts: item.attempts,
    ...defined({ source: item.source_name, release: item.release_title }),
    ...progressOf(item, live),
  };
}

export function packRow(item: Item, live: Live): z.input<typeof packSchema> {
  return {
    id: item.id,
    seriesId: item.series_id,
    series: item.series_title,
    release: item.release_title ?? "",
    source: item.source_name ?? "",
    status: packStates[item.state],
    ...progressOf(item, live),
  };
}

/** As one line of the activity: the series with the number, the release of a pack, and how far it is. */
export function activeItem(item: Item, live: Live): Activity["items"][number] {
  const { progress, secondsLeft } = live.of(item.id);
  const name = item.kind === "pack" ? item.release_title : item.number === "" ? null : `#${item.number}`;
  return {
    id: item.id,
    title: [item.series_title, name].filter(Boolean).join(" "),
    href: `/series/${item.series_id}`,
    progress: { done: Math.round((progress ?? 0) * 100), total: progress === undefined ? 0 : 100 },
    ...defined({ message: item.release_title, secondsLeft }),
    ...(item.state !== "importing" && { cancel: `/api/queue/cancel/${item.id}` }),
  };
}

function progressOf(item: Item, live: Live) {
  const { progress, speed, secondsLeft } = live.of(item.id);
  const waits = item.state === "queued" && item.next_at > Date.now();
  return {
    queuedAt: new Date(item.queued_at).toISOString(),
    priority: item.priority,
    held: item.held === 1,
    ...defined({ progress, speed, secondsLeft, phase: item.phase, error: item.error }),
    ...(waits && { retryAt: new Date(item.next_at).toISOString() }),
  };
}

export function historyRow(row: HistoryRow, seesPaths: boolean): z.input<typeof historyRowSchema> {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    seriesId: row.series_id,
    series: row.series_title,
    number: row.number,
    release: row.release,
    source: row.source,
    ...defined({ cvIssueId: row.cv_issue_id, error: row.error, path: seesPaths ? row.path : null }),
  };
}

/** Without the fields that have no value. */
function defined<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}
