import { excluded, rowsInsert } from "@longbox/sdk";
import type { PlacedFile } from "../contract.js";
import type { PlacingBatch, Reading } from "./placing-batch.js";
import { flag, reserveIds, type CollectionTables, type CollectionTransaction, type FileTable } from "../tables.js";

export interface WrittenFiles {
  readonly placed: readonly PlacedFile[];
  /** Every series whose counters the files touched, those that lost a file included. */
  readonly seriesIds: readonly number[];
  /** Every such issue, without those that were stored with the counts of their only file. */
  readonly issueIds: readonly number[];
}

/** Records the files of a batch under their issues. */
export async function writeFiles(
  transaction: CollectionTransaction,
  batch: PlacingBatch,
  { issueOf, made }: { readonly issueOf: ReadonlyMap<string, number>; readonly made: ReadonlySet<number> },
): Promise<WrittenFiles> {
  const firstId = await reserveIds(transaction, "file", batch.readings.length);
  const rows = batch.readings.map((reading, index) =>
    fileRow(reading, { batch, issueId: issueOf.get(reading.file.path) as number, newId: firstId + index }),
  );
  await upsertFiles(transaction, rows);
  const before = [...batch.files.values()];
  return {
    placed: rows.map((row) => ({ path: row.path, seriesId: row.series_id, issueId: row.issue_id })),
    issueIds: issuesToCount(rows, batch, made),
    seriesIds: [...new Set([...rows, ...before].map((row) => row.series_id))],
  };
}

/** Those whose files are counted again. An issue that was made for one new file was stored with its counts. */
function issuesToCount(rows: readonly FileTable[], batch: PlacingBatch, made: ReadonlySet<number>): number[] {
  const given = [...Map.groupBy(rows, (row) => row.issue_id)].flatMap(([id, files]) => {
    const isCounted = made.has(id) && files.length === 1 && !batch.files.has(files[0]!.path);
    return isCounted ? [] : [id];
  });
  return [...new Set([...given, ...[...batch.files.values()].map((row) => row.issue_id)])];
}

function fileRow(
  { file, number }: Reading,
  { batch, issueId, newId }: { batch: PlacingBatch; issueId: number; newId: number },
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
    added_at: known?.added_at ?? batch.now,
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
