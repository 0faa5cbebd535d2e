import { inBatches, LongboxError, type Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import { recountSeries } from "../counting/counters.js";
import { badField } from "../errors.js";
import type { IssueReading } from "./issue-reading.js";
import { publicIssueId, whyWanted } from "./issue-shape.js";
import type { SeriesReading } from "../series/series-reading.js";
import type { CollectionDatabase, CollectionTransaction } from "../tables.js";

export type PickWhy = "picked" | "list" | "request";
export interface PickRequest {
  /** 1 wants the issue, 0 refuses it, null leaves it to the monitoring. */
  readonly pick: 0 | 1 | null;
  readonly why?: PickWhy | undefined;
  readonly reason?: string | undefined;
}

/** Picks: issues that a person wants, or does not want; they overrule the monitoring of the series. */
export class Picking {
  readonly #database: CollectionDatabase;
  readonly #series: SeriesReading;
  readonly #issues: IssueReading;
  readonly #changes: Changes;

  constructor(
    database: CollectionDatabase,
    reading: { readonly series: SeriesReading; readonly issues: IssueReading },
    changes: Changes,
  ) {
    this.#database = database;
    this.#series = reading.series;
    this.#issues = reading.issues;
    this.#changes = changes;
  }

  /**
   * Wants issues of any tracked series. @returns the ids, as asked for, of those that are there for the viewer
   * @throws {LongboxError} `collection/may-not-want`
   */
  async pickAnywhere(
    cvIssueIds: readonly number[],
    request: { viewer: Viewer; why: PickWhy; reason?: string | undefined },
  ): Promise<number[]> {
    checkMayWant(request.viewer);
    const found = await this.#issues.finding.findByClientIds(cvIssueIds, request.viewer);
    const picked = await this.#database.transaction().execute(async (transaction) => {
      const tracked = new Set<number>();
      for (const ids of inBatches([...new Set(found.map(({ row }) => row.series_id))])) {
        for (const row of await transaction
          .selectFrom("series")
          .select("id")
          .where("id", "in", ids)
          .where("state", "=", "tracked")
          .execute())
          tracked.add(row.id);
      }
      const wanted = found.filter(({ row }) => tracked.has(row.series_id));
      await setPicks(
        transaction,
        wanted.map(({ row }) => row.id),
        { pick: 1, why: request.why, reason: request.reason },
      );
      await recountSeries(transaction, [...new Set(wanted.map(({ row }) => row.series_id))]);
      return wanted;
    });
    this.#changes.announceSeries(picked.map(({ row }) => row.series_id));
    return picked.map(({ cvIssueId }) => cvIssueId);
  }

  async pick(seriesId: number, request: PickRequest & { readonly cvIssueIds: readonly number[] }, viewer: Viewer) {
    const series = await this.#series.get(seriesId, viewer);
    const outcome = await this.#database.transaction().execute(async (transaction) => {
      const issueIds = await issuesOfSeries(transaction, series.id, request.cvIssueIds);
      const changed = await setPicks(transaction, issueIds, request);
      await recountSeries(transaction, [series.id]);
      const rows = [];
      for (const ids of inBatches(issueIds))
        rows.push(
          ...(await transaction.selectFrom("issue").selectAll().where("id", "in", ids).orderBy("sort_key").execute()),
        );
      return { changed, rows };
    });
    this.#changes.announceSeries([series.id]);
    const issues = outcome.rows.map((row) => ({
      cv_issue_id: publicIssueId(row),
      wanted: row.wanted === 1,
      why: whyWanted(row),
      pick: row.pick === null ? null : row.pick === 1,
      reason: row.pick_reason,
    }));
    return { changed: outcome.changed, issues };
  }
}

/** @throws {LongboxError} unless the viewer may choose which issues the library wants */
export function checkMayWant(viewer: Viewer): void {
  if (viewer.may("downloads.grab") || viewer.may("library.manage")) return;
  throw new LongboxError(
    "forbidden",
    "collection/may-not-want",
    "This needs the permission downloads.grab or library.manage.",
  );
}

/** @returns how many issues were picked otherwise before */
export async function setPicks(
  transaction: CollectionTransaction,
  issueIds: readonly number[],
  request: PickRequest,
): Promise<number> {
  const set = {
    pick: request.pick,
    pick_why: request.pick === 1 ? (request.why ?? "picked") : null,
    pick_reason: request.pick === null ? null : (request.reason ?? null),
  };
  let changed = 0;
  for (const ids of inBatches(issueIds)) {
    const rows = await transaction
      .updateTable("issue")
      .set(set)
      .where("id", "in", ids)
      .where("pick", "is distinct from", request.pick)
      .returning("id")
      .execute();
    changed += rows.length;
  }
  return changed;
}

/** The internal ids of issues of one series. @throws {BadInput} naming those that are not of it */
export async function issuesOfSeries(
  transaction: CollectionTransaction,
  seriesId: number,
  cvIssueIds: readonly number[],
): Promise<number[]> {
  const found = new Map<number, number>();
  const matched = cvIssueIds.filter((id) => id > 0);
  const own = cvIssueIds.filter((id) => id < 0).map((id) => -id);
  const seek = transaction
    .selectFrom("issue")
    .select(["id", "cv_issue_id"])
    .where("series_id", "=", seriesId)
    .where("present", "=", 1);
  for (const ids of inBatches(matched))
    for (const row of await seek.where("cv_issue_id", "in", ids).execute())
      found.set(row.cv_issue_id as number, row.id);
  const merges = new Map<number, number>();
  for (const ids of inBatches(own))
    for (const row of await transaction.selectFrom("issue_merge").selectAll().where("from_id", "in", ids).execute())
      merges.set(row.from_id, row.to_id);
  const targets = new Map(own.map((id) => [merges.get(id) ?? id, id]));
  for (const ids of inBatches([...targets.keys()]))
    for (const row of await seek.where("id", "in", ids).execute()) found.set(-(targets.get(row.id) as number), row.id);
  const strangers = cvIssueIds.filter((id) => !found.has(id));
  if (strangers.length > 0) throw badField("cvIssueIds", `not in this volume: ${strangers.slice(0, 20).join(", ")}`);
  return [...new Set(found.values())];
}
