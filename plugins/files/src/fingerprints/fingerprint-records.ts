import { excluded, findAmong, isAmong } from "@longbox/sdk";
import type { Expression, SqlBool, Transaction } from "kysely";
import type { FilesDatabase, FilesTables, FormerFileTable, ScannedFileTable } from "../tables.js";
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
  readonly modifiedMs: number;
}

/** A file as it is, or as it was before it was rewritten, renamed, replaced or removed. */
export interface FileVersion {
  /** Where the file lies, or lay last. */
  readonly path: string;
  /** Empty when the contents could not be read, as of a folder. */
  readonly partialMd5: string;
  readonly nameMd5: string;
  readonly issueId: number;
  readonly isCurrent: boolean;
}

type Column = "partial_md5" | "name_md5";
/** Short names are the names of many files. */
const mostMatches = 100;
const key = ["path", "partial_md5", "name_md5"] as const;
const columns = [...key, "issue_id"] as const;

/** The fingerprints of a file, as they are stored with what a scan saw of it. */
export function fingerprintsOf({ path, partialMd5 }: Pick<SeenFile, "path" | "partialMd5">) {
  return { partial_md5: partialMd5 ?? "", name_md5: nameMd5(path) };
}

/** The fingerprints of files and of their former versions, by which devices with old copies are recognised. */
export class FingerprintRecords {
  constructor(private readonly database: FilesDatabase) {}

  /**
   * Keeps what is stored of files as former versions, where their fingerprints are others now. It is called before the
   * new ones are stored.
   */
  async replace(transaction: Transaction<FilesTables>, files: readonly SeenFile[]): Promise<void> {
    const paths = files.map(({ path }) => path);
    const present = await findAmong(transaction.selectFrom("scanned_file").select(columns), "path", paths);
    const former = await findAmong(transaction.selectFrom("former_file").select(columns), "path", paths);
    if (present.length === 0 && former.length === 0) return;
    const versions = Map.groupBy([...present.map(currentVersion), ...former.map(formerVersion)], ({ path }) => path);
    const replaced: string[] = [];
    for (const file of files) {
      const known = versions.get(file.path);
      if (known === undefined) continue;
      const now = fingerprintsOf(file);
      const mistaken = identifiedOtherwise(file, known);
      if (mistaken !== undefined)
        await this.reassign({ from: mistaken, to: file.issueId, path: file.path }, transaction);
      if (known.some((version) => version.isCurrent && !isVersion(version, now))) replaced.push(file.path);
      if (known.some((version) => !version.isCurrent && isVersion(version, now)))
        await this.#forgetVersion(transaction, file.path, now);
    }
    if (replaced.length > 0) await this.keepFormer(isAmong("path", replaced), transaction);
  }

  /**
   * Takes the former versions of a file to its new place; its former name becomes one of them. It is called before the
   * file itself is stored there.
   */
  async move(transaction: Transaction<FilesTables>, { from, to }: { from: string; to: string }): Promise<void> {
    const moved = await transaction.selectFrom("former_file").selectAll().where("path", "=", from).execute();
    for (const version of moved) await this.#forgetVersion(transaction, to, version);
    await transaction.updateTable("former_file").set({ path: to }).where("path", "=", from).execute();
    const present = await transaction
      .selectFrom("scanned_file")
      .select(columns)
      .where("path", "=", from)
      .where("partial_md5", "is not", null)
      .executeTakeFirst();
    if (!present) return;
    const renamed = { partial_md5: present.partial_md5!, name_md5: nameMd5(to) };
    await this.#forgetVersion(transaction, to, renamed);
    if (present.name_md5 === renamed.name_md5) return;
    const { issue_id } = present;
    await transaction
      .insertInto("former_file")
      .values({
        path: to,
        partial_md5: renamed.partial_md5,
        name_md5: present.name_md5!,
        issue_id,
        seen_at: Date.now(),
      })
      .onConflict((conflict) => conflict.columns(key).doUpdateSet(excluded(["issue_id", "seen_at"])))
      .execute();
  }

  /**
   * Keeps the fingerprints of present files as those of former versions, so that they are still recognised. It is
   * called before the files are forgotten or replaced.
   * @param which - a condition on `scanned_file`
   */
  async keepFormer(which: Expression<SqlBool>, database: FilesDatabase = this.database): Promise<void> {
    await database
      .insertInto("former_file")
      .columns([...columns, "seen_at"])
      .expression((eb) =>
        eb
          .selectFrom("scanned_file")
          .select((row) => [
            "path",
            row.ref("partial_md5").$notNull().as("partial_md5"),
            row.ref("name_md5").$notNull().as("name_md5"),
            "issue_id",
            row.val(Date.now()).as("seen_at"),
          ])
          .where("partial_md5", "is not", null)
          .where(which),
      )
      .onConflict((conflict) => conflict.columns(key).doUpdateSet(excluded(["issue_id", "seen_at"])))
      .execute();
  }

  /** Moves the fingerprints of one issue to another. */
  async reassign(
    { from, to, path }: { from: number; to: number; /** Of this file only, with its former versions. */ path?: string },
    database: FilesDatabase = this.database,
  ): Promise<void> {
    for (const table of ["scanned_file", "former_file"] as const)
      await database
        .updateTable(table)
        .set({ issue_id: to })
        .where("issue_id", "=", from)
        .$if(path !== undefined, (rows) => rows.where("path", "=", path!))
        .execute();
  }

  /** Those of present files first, then the newest. */
  async find(column: Column, value: string): Promise<FileVersion[]> {
    const present = await this.#present()
      .where(column, "=", value)
      .orderBy("modified_ms", "desc")
      .orderBy("path")
      .limit(mostMatches)
      .execute();
    const former = await this.#former().where(column, "=", value).limit(mostMatches).execute();
    return [...present.map(currentVersion), ...former.map(formerVersion)].slice(0, mostMatches);
  }

  /** The current fingerprints of these files. */
  async findPresent(paths: readonly string[]): Promise<FileVersion[]> {
    return (await this.#present().where(isAmong("path", paths)).execute()).map(currentVersion);
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

  /** Those of present files first, then the newest. */
  async listOfIssues(issueIds: readonly number[]): Promise<FileVersion[]> {
    const present = await this.#present().where(isAmong("issue_id", issueIds)).orderBy("path").execute();
    const former = await this.#former().where(isAmong("issue_id", issueIds)).execute();
    return [...present.map(currentVersion), ...former.map(formerVersion)];
  }

  /**
   * Files that scans know and of which there is no fingerprint yet, by path.
   * @param after - the last path of the part before
   */
  async listWithout(after: string, limit: number): Promise<FileWithoutFingerprint[]> {
    return this.database
      .selectFrom("scanned_file")
      .select(["path", "modified_ms as modifiedMs"])
      .where("partial_md5", "is", null)
      .where("path", ">", after)
      .orderBy("path")
      .limit(limit)
      .execute();
  }

  /** Remembers files that were read outside of a scan, unless they were changed or moved meanwhile. */
  async fill(files: ReadonlyArray<FileWithoutFingerprint & Pick<SeenFile, "partialMd5">>): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      for (const file of files)
        await transaction
          .updateTable("scanned_file")
          .set(fingerprintsOf(file))
          .where("path", "=", file.path)
          .where("modified_ms", "=", file.modifiedMs)
          .execute();
    });
  }

  #present() {
    return this.database.selectFrom("scanned_file").select(columns).where("partial_md5", "is not", null);
  }

  #former() {
    return this.database.selectFrom("former_file").select(columns).orderBy("seen_at", "desc").orderBy("path");
  }

  async #forgetVersion(
    transaction: Transaction<FilesTables>,
    path: string,
    { partial_md5, name_md5 }: Pick<FormerFileTable, Column>,
  ): Promise<void> {
    await transaction
      .deleteFrom("former_file")
      .where("path", "=", path)
      .where("partial_md5", "=", partial_md5)
      .where("name_md5", "=", name_md5)
      .execute();
  }
}

type Stored<Row> = Pick<Row, keyof Row & ("path" | Column | "issue_id")>;

function currentVersion(row: Stored<ScannedFileTable>): FileVersion {
  const { path, partial_md5: partialMd5, name_md5: name, issue_id: issueId } = row;
  return { path, partialMd5: partialMd5 ?? "", nameMd5: name ?? "", issueId, isCurrent: true };
}

function formerVersion(row: Stored<FormerFileTable>): FileVersion {
  return { ...currentVersion(row), isCurrent: false };
}

/**
 * The same contents are known as another issue: then the file was that other one all along, and so were its versions.
 */
function identifiedOtherwise(file: SeenFile, versions: readonly FileVersion[]): number | undefined {
  const same = versions.find((version) => version.partialMd5 !== "" && version.partialMd5 === file.partialMd5);
  return same && same.issueId !== file.issueId ? same.issueId : undefined;
}

function isVersion(version: FileVersion, { partial_md5, name_md5 }: Pick<FormerFileTable, Column>): boolean {
  return version.partialMd5 === partial_md5 && version.nameMd5 === name_md5;
}
