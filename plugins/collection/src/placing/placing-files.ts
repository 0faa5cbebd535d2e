import { excluded, rowsInsert } from "@longbox/sdk";
import type { PlacedFile } from "../contract.js";
import type { PlacingBatch, Reading } from "./placing-batch.js";
import { flag, reserveIds, type CollectionTables, type CollectionTransaction, type FileTable } from "../tables.js";

export interface WrittenFiles {
  readonly placed: readonly PlacedFile[];
  /** Every issue and series whose counters the files touched, those that lost a file included. */
  readonly issueIds: readonly number[];
  readonly seriesIds: readonly number[];
}

/** Records the files of a batch under their issues. */
export async function writeFiles(
  transaction: CollectionTransaction,
  batch: PlacingBatch,
  issueOf: ReadonlyMap<string, number>,
): Promise<WrittenFiles> {
  const firstId = await reserveIds(transaction, "file", batch.readings.length);
  const now = new Date().toISOString();
  const rows = batch.readings.map((reading, index) =>
    fileRow(reading, { batch, issueId: issueOf.get(reading.file.path) as number, newId: firstId + index, now }),
  );
  await upsertFiles(transaction, rows);
  const before = [...batch.files.values()];
  return {
    placed: rows.map((row) => ({ path: row.path, seriesId: row.series_id, issueId: row.issue_id })),
    issueIds: [...new Set([...rows, ...before].map((row) => row.issue_id))],
    seriesIds: [...new Set([...rows, ...before].map((row) => row.series_id))],
  };
}

function fileRow(
  { file, number }: Reading,
  { batch, issueId, newId, now }: { batch: PlacingBatch; issueId: number; newId: number; now: string },
): FileTable {
  const seriesId = batch.issues.get(issueId)?.series_id as number;
  const known = batch.files.get(file.path);
  return {
    id: known?.id ?? newId,
    path: file.path,
    name: file.name,
    library_id: file.libraryId,
    series_id: seriesId,
    issue_id: issueId,
    size: file.sizeBytes,
    modified_at: file.modifiedAt,
    pages: file.pages,
    hidden_pages: known?.hidden_pages ?? 0,
    format: file.format ?? null,
    seconds: file.seconds ?? null,
    valid: flag(file.valid),
    tagged: flag(file.tagged),
    error: file.error ?? null,
    assigned: flag(batch.assignments.has(file.path)),
    read_number: number.text,
    read_kind: number.kind,
    read_cv_issue_id: file.issue.cvIssueId ?? null,
    added_at: known?.added_at ?? now,
  };
}

const replaced = [
  "name",
  "library_id",
  "series_id",
  "issue_id",
  "size",
  "modified_at",
  "pages",
  "format",
  "seconds",
  "valid",
  "tagged",
  "error",
  "assigned",
  "read_number",
  "read_kind",
  "read_cv_issue_id",
] as const;

const upsertFiles = rowsInsert<CollectionTables, FileTable>((database, rows) =>
  database
    .insertInto("file")
    .values(rows)
    .onConflict((conflict) => conflict.column("path").doUpdateSet(excluded(replaced))),
);
