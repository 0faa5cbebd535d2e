import { BadInput, type Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import { settle } from "../series/departing.js";
import { numberWithin, parseIssueNumber } from "./issue-number.js";
import type { IssueKind } from "./issue-kind.js";
import { issuesOfSeries } from "./picking.js";
import type { SeriesReading } from "../series/series-reading.js";
import { reserveIds, type CollectionDatabase, type CollectionTransaction, type FileTable } from "../tables.js";

const notOfIt = (field: string, message: string) =>
  new BadInput("collection/not-of-this-series", message, { [field]: message });

export interface AssignRequest {
  /** The file; null forgets what was assigned to the issue by hand. */
  readonly path: string | null;
  readonly cvIssueId: number;
}

/** Manual assignment: a user assigns a file to an issue, until the series gets another volume. */
export class Assigning {
  readonly #database: CollectionDatabase;
  readonly #series: SeriesReading;
  readonly #changes: Changes;

  constructor(database: CollectionDatabase, series: SeriesReading, changes: Changes) {
    this.#database = database;
    this.#series = series;
    this.#changes = changes;
  }

  async assign(seriesId: number, { path, cvIssueId }: AssignRequest, viewer: Viewer): Promise<void> {
    const series = await this.#series.get(seriesId, viewer);
    await this.#database.transaction().execute(async (transaction) => {
      const [issueId] = await issuesOfSeries(transaction, series.id, [cvIssueId]).catch(() => {
        throw notOfIt("cvIssueId", "that issue is not in this volume");
      });
      if (path === null) await forget(transaction, issueId as number);
      else await give(transaction, { path, series_id: series.id, issue_id: issueId as number });
    });
    this.#changes.announceSeries([series.id]);
  }
}

async function give(
  transaction: CollectionTransaction,
  assignment: { readonly path: string; readonly series_id: number; readonly issue_id: number },
): Promise<void> {
  const { path, series_id, issue_id } = assignment;
  const file = await transaction
    .selectFrom("file")
    .selectAll()
    .where("path", "=", path)
    .where("series_id", "=", series_id)
    .executeTakeFirst();
  if (!file) throw notOfIt("path", "that file is not in this series");
  await transaction
    .insertInto("assignment")
    .values(assignment)
    .onConflict((conflict) => conflict.column("path").doUpdateSet(assignment))
    .execute();
  await transaction.updateTable("file").set({ issue_id, assigned: 1 }).where("path", "=", path).execute();
  await settle(transaction, [file, { series_id, issue_id }]);
}

/** The files return to the issues of their own metadata. */
async function forget(transaction: CollectionTransaction, issueId: number): Promise<void> {
  const dropped = await transaction
    .deleteFrom("assignment")
    .where("issue_id", "=", issueId)
    .returning("path")
    .execute();
  if (dropped.length === 0) return;
  const files = await transaction
    .selectFrom("file")
    .selectAll()
    .where(
      "path",
      "in",
      dropped.map((row) => row.path),
    )
    .execute();
  const touched = [];
  for (const file of files) {
    const home = await ownIssue(transaction, file);
    await transaction.updateTable("file").set({ issue_id: home, assigned: 0 }).where("id", "=", file.id).execute();
    touched.push(file, { series_id: file.series_id, issue_id: home });
  }
  await settle(transaction, touched);
}

/** The issue that a file is by its own evidence, made if it is not there. */
export async function ownIssue(
  transaction: CollectionTransaction,
  file: Pick<FileTable, "series_id" | "read_number" | "read_kind" | "read_cv_issue_id">,
): Promise<number> {
  const series = transaction.selectFrom("series").select("title").where("id", "=", file.series_id);
  const { title } = await series.executeTakeFirstOrThrow();
  const number = numberWithin(title, parseIssueNumber(file.read_number, file.read_kind as IssueKind));
  const same = await transaction
    .selectFrom("issue")
    .select(["id", "cv_issue_id", "present"])
    .where("series_id", "=", file.series_id)
    .where("sort_key", "=", number.sortKey)
    .orderBy("listed", "desc")
    .orderBy("id")
    .execute();
  const byId =
    file.read_cv_issue_id === null ? undefined : same.find((issue) => issue.cv_issue_id === file.read_cv_issue_id);
  const found = byId ?? same[0];
  if (found) {
    if (found.present === 0)
      await transaction.updateTable("issue").set({ present: 1 }).where("id", "=", found.id).execute();
    return found.id;
  }
  const id = await reserveIds(transaction, "issue", 1);
  const row = {
    id,
    series_id: file.series_id,
    number: number.text,
    sort_key: number.sortKey,
    value: number.value ?? null,
    kind: number.kind,
    added_at: new Date().toISOString(),
  };
  await transaction.insertInto("issue").values(row).execute();
  return id;
}
