import { excluded, isAmong, rowsInsert } from "@longbox/sdk";
import type { SelectQueryBuilder, Transaction } from "kysely";
import type { FileFingerprintTable, FilesDatabase, FilesTables } from "../tables.js";
import { nameMd5 } from "./partial-md5.js";

/** A file as it was seen now. */
export interface SeenFile {
  readonly path: string;
  /** Undefined when the contents could not be read. */
  readonly partialMd5: string | undefined;
  readonly issueId: number;
}

/** A file that was scanned by a version without fingerprints. */
export interface FileWithoutFingerprint {
  readonly path: string;
  readonly issueId: number;
  readonly modifiedMs: number;
}

type Column = "partial_md5" | "name_md5";
/** Short names are the names of many files. */
const mostMatches = 100;

/**
 * The fingerprints of every file, and those of its former versions, by which devices with old copies are recognised.
 */
export class FingerprintRecords {
  constructor(private readonly database: FilesDatabase) {}

  /** Stores the current fingerprints of files; earlier ones become former versions. */
  async remember(transaction: Transaction<FilesTables>, files: readonly SeenFile[]): Promise<void> {
    if (files.length === 0) return;
    const paths = files.map(({ path }) => path);
    const known = Map.groupBy(
      await transaction.selectFrom("file_fingerprint").selectAll().where(isAmong("path", paths)).execute(),
      (row) => row.path,
    );
    for (const file of files) {
      const versions = known.get(file.path) ?? [];
      const mistaken = identifiedOtherwise(file, versions);
      if (mistaken !== undefined)
        await this.reassign({ from: mistaken, to: file.issueId, path: file.path }, transaction);
      if (versions.some((row) => row.is_current === 1 && !isVersion(row, file)))
        await markFormer(transaction, [file.path]);
    }
    const rows = files.filter((file) => !(known.get(file.path) ?? []).some((row) => isUpToDate(row, file))).map(rowOf);
    await upsertFingerprints(transaction, rows);
  }

  /** Moved files take their versions along; under another name each is another version. */
  async move(transaction: Transaction<FilesTables>, { from, to }: { from: string; to: string }): Promise<void> {
    const versions = await transaction.selectFrom("file_fingerprint").selectAll().where("path", "=", from).execute();
    await markFormer(transaction, [to]);
    for (const row of versions)
      await transaction
        .deleteFrom("file_fingerprint")
        .where("path", "=", to)
        .where("partial_md5", "=", row.partial_md5)
        .where("name_md5", "=", row.name_md5)
        .execute();
    await transaction.updateTable("file_fingerprint").set({ path: to }).where("path", "=", from).execute();
    const present = versions.find((row) => row.is_current === 1);
    if (present)
      await this.remember(transaction, [
        { path: to, partialMd5: present.partial_md5 || undefined, issueId: present.issue_id },
      ]);
  }

  /** Marks files as removed; their fingerprints are still recognised. */
  async forget(paths: readonly string[]): Promise<void> {
    await markFormer(this.database, paths);
  }

  /** Moves the fingerprints of one issue to another. */
  async reassign(
    { from, to, path }: { from: number; to: number; /** Of this file only, with its former versions. */ path?: string },
    database: FilesDatabase = this.database,
  ): Promise<void> {
    await database
      .updateTable("file_fingerprint")
      .set({ issue_id: to })
      .where("issue_id", "=", from)
      .$if(path !== undefined, (rows) => rows.where("path", "=", path!))
      .execute();
  }

  /** Those of present files first, then the newest. */
  find(column: Column, value: string): Promise<FileFingerprintTable[]> {
    return this.database
      .selectFrom("file_fingerprint")
      .selectAll()
      .where(column, "=", value)
      .orderBy("is_current", "desc")
      .orderBy("seen_at", "desc")
      .orderBy("path")
      .limit(mostMatches)
      .execute();
  }

  /** The current fingerprints of these files. */
  findPresent(paths: readonly string[]): Promise<FileFingerprintTable[]> {
    return this.database
      .selectFrom("file_fingerprint")
      .selectAll()
      .where(isAmong("path", paths))
      .where("is_current", "=", 1)
      .execute();
  }

  /** The series in which the last scan placed a file. */
  async findSeriesOf(path: string): Promise<number | undefined> {
    const row = await this.database
      .selectFrom("scanned_file")
      .select("series_id")
      .where("path", "=", path)
      .executeTakeFirst();
    return row?.series_id;
  }

  /** Fingerprints of unknown files belong to former versions. */
  async forgetAllBut(paths: SelectQueryBuilder<FilesTables, "scanned_file", { path: string }>): Promise<void> {
    await this.database
      .updateTable("file_fingerprint")
      .set({ is_current: 0 })
      .where("is_current", "=", 1)
      .where("path", "not in", paths)
      .execute();
  }

  listOfIssues(issueIds: readonly number[]): Promise<FileFingerprintTable[]> {
    return this.database
      .selectFrom("file_fingerprint")
      .selectAll()
      .where(isAmong("issue_id", issueIds))
      .orderBy("is_current", "desc")
      .orderBy("seen_at", "desc")
      .orderBy("path")
      .execute();
  }

  /**
   * Files that scans know and of which there is no fingerprint yet, by path.
   * @param after - the last path of the part before
   */
  async listWithout(after: string, limit: number): Promise<FileWithoutFingerprint[]> {
    return this.database
      .selectFrom("scanned_file as file")
      .leftJoin("file_fingerprint as print", (join) =>
        join.onRef("print.path", "=", "file.path").on("print.is_current", "=", 1),
      )
      .select(["file.path", "file.issue_id as issueId", "file.modified_ms as modifiedMs"])
      .where("print.path", "is", null)
      .where("file.path", ">", after)
      .orderBy("file.path")
      .limit(limit)
      .execute();
  }

  /** Remembers files that were read outside of a scan, unless they were changed or moved meanwhile. */
  async fill(files: ReadonlyArray<SeenFile & Pick<FileWithoutFingerprint, "modifiedMs">>): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const rows = await transaction
        .selectFrom("scanned_file")
        .select(["path", "issue_id", "modified_ms"])
        .where(
          isAmong(
            "path",
            files.map(({ path }) => path),
          ),
        )
        .execute();
      const known = new Map(rows.map((row) => [row.path, row]));
      const same = files.filter(({ path, modifiedMs }) => known.get(path)?.modified_ms === modifiedMs);
      await this.remember(
        transaction,
        same.map(({ path, partialMd5 }) => ({ path, partialMd5, issueId: known.get(path)!.issue_id })),
      );
    });
  }
}

const upsertFingerprints = rowsInsert<FilesTables, FileFingerprintTable>((database, rows) =>
  database
    .insertInto("file_fingerprint")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["path", "partial_md5", "name_md5"])
        .doUpdateSet(excluded(["issue_id", "is_current", "seen_at"])),
    ),
);

async function markFormer(database: FilesDatabase, paths: readonly string[]): Promise<void> {
  await database
    .updateTable("file_fingerprint")
    .set({ is_current: 0 })
    .where(isAmong("path", paths))
    .where("is_current", "=", 1)
    .execute();
}

/**
 * The same contents are known as another issue: then the file was that other one all along, and so were its versions.
 */
function identifiedOtherwise(file: SeenFile, versions: readonly FileFingerprintTable[]): number | undefined {
  const same = versions.find((row) => row.partial_md5 !== "" && row.partial_md5 === file.partialMd5);
  return same && same.issue_id !== file.issueId ? same.issue_id : undefined;
}

function isVersion(row: FileFingerprintTable, { path, partialMd5 }: SeenFile): boolean {
  return row.partial_md5 === (partialMd5 ?? "") && row.name_md5 === nameMd5(path);
}

function isUpToDate(row: FileFingerprintTable, file: SeenFile): boolean {
  return row.is_current === 1 && row.issue_id === file.issueId && isVersion(row, file);
}

function rowOf({ path, partialMd5, issueId }: SeenFile): FileFingerprintTable {
  return {
    path,
    partial_md5: partialMd5 ?? "",
    name_md5: nameMd5(path),
    issue_id: issueId,
    is_current: 1,
    seen_at: Date.now(),
  };
}
