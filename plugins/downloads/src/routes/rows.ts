import type { CollectionContract } from "@longbox/collection/contract";
import type { Activity, Viewer } from "@longbox/sdk";
import type { z } from "zod";
import type { HistoryRow } from "../keeping/history-records.js";
import { namesFor, type NameOf } from "../keeping/item-names.js";
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

export interface RowParts {
  readonly live: Live;
  readonly nameOf: NameOf;
}

export function itemRow(item: Item, { live, nameOf }: RowParts): z.input<typeof itemSchema> {
  return {
    id: item.id,
    issueId: item.issue_id ?? 0,
    cvIssueId: item.cv_issue_id ?? 0,
    seriesId: item.series_id,
    series: item.series_title,
    number: item.number,
    name: nameOf(item),
    status: item.state,
    attempts: item.attempts,
    ...defined({ source: item.source_name, release: item.release_title }),
    ...progressOf(item, live),
  };
}

export async function rowOf(
  { library, live }: { readonly library: Pick<CollectionContract, "findIssues">; readonly live: Live },
  item: Item,
  viewer: Viewer,
) {
  if (item.kind === "pack") return packRow(item, live);
  return itemRow(item, { live, nameOf: await namesFor(library, [item], viewer) });
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

/** As one line of the activity: its name, of a pack the release, and how far it is. */
export function activeItem(item: Item, { live, nameOf }: RowParts): Activity["items"][number] {
  const { progress, secondsLeft } = live.of(item.id);
  const release = item.kind === "pack" ? item.release_title : undefined;
  return {
    id: item.id,
    title: [nameOf(item), release].filter(Boolean).join(" "),
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

interface HistoryParts {
  readonly seesPaths: boolean;
  readonly nameOf: NameOf;
}

export function historyRow(row: HistoryRow, { seesPaths, nameOf }: HistoryParts): z.input<typeof historyRowSchema> {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    seriesId: row.series_id,
    series: row.series_title,
    number: row.number,
    name: nameOf(row),
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
