import { isAmong, excluded, rowsInsert } from "@longbox/sdk";
import type { Expression, SqlBool, Transaction } from "kysely";
import type { PlacedFile } from "@longbox/collection/contract";
import { fingerprintsOf, type FingerprintRecords, type SeenFile } from "../fingerprints/fingerprint-records.js";
import type { FilesDatabase, FilesTables, ScannedFileTable } from "../tables.js";
import { nameMd5 } from "../fingerprints/partial-md5.js";
import type { KnownFile, ScannedFile } from "./messages.js";
import { Places } from "./places.js";

/** Beyond this many places, one look at everything is less work than a look at each. */
const mostRanges = 50;

/** What scans have seen: the state of each file when it was last read. */
export class ScanIndex {
  constructor(
    private readonly database: FilesDatabase,
    private readonly fingerprints: FingerprintRecords,
  ) {}

  /** Known files of a library, within the scope, a part at a time, in the order of their paths. */
  async *known(libraryId: number, scope: readonly string[]): AsyncGenerator<readonly KnownFile[]> {
    const places = new Places(scope);
    const { outermost } = places;
    if (outermost.length > mostRanges) {
      for await (const files of this.#between(libraryId, "", undefined))
        yield files.filter(({ path }) => places.hold(path));
      return;
    }
    yield await this.#known(libraryId).where(isAmong("path", outermost)).execute();
    // `0` follows `/`.
    for (const place of outermost) yield* this.#between(libraryId, `${place}/`, `${place}0`);
  }

  async *#between(libraryId: number, after: string, before: string | undefined): AsyncGenerator<readonly KnownFile[]> {
    const partSize = 2000;
    for (let from = after; ;) {
      const rows = await this.#known(libraryId)
        .where("path", ">", from)
        .$if(before !== undefined, (query) => query.where("path", "<", before!))
        .orderBy("path")
        .limit(partSize)
        .execute();
      yield rows;
      if (rows.length < partSize) return;
      from = rows.at(-1)!.path;
    }
  }

  #known(libraryId: number) {
    return this.database
      .selectFrom("scanned_file")
      .select(["path", "size_bytes as sizeBytes", "modified_ms as modifiedMs", "tags_ms as tagsMs", "format"])
      .where("library_id", "=", libraryId);
  }

  /** Remembers files after the collection has stored them. */
  async remember(files: readonly ScannedFile[], placed: readonly PlacedFile[]): Promise<void> {
    const places = new Map(placed.map((place) => [place.path, place]));
    const rows = files.flatMap((scanned): ScannedFileTable[] => {
      const place = places.get(scanned.file.path);
      return place ? [rowOf(scanned, place)] : [];
    });
    const seen = files.flatMap(({ file: { path }, partialMd5 }) => {
      const place = places.get(path);
      return place ? [{ path, partialMd5, issueId: place.issueId }] : [];
    });
    await this.database.transaction().execute(async (transaction) => {
      await this.fingerprints.replace(transaction, seen);
      await upsertFiles(transaction, rows);
    });
  }

  async findByPaths(paths: readonly string[]): Promise<ScannedFileTable[]> {
    return this.database.selectFrom("scanned_file").selectAll().where(isAmong("path", paths)).execute();
  }

  /** Files with these contents. */
  async findByFingerprints(fingerprints: readonly string[], mostCopies: number): Promise<ScannedFileTable[]> {
    const rare = this.database
      .selectFrom("scanned_file")
      .select("fingerprint")
      .where(isAmong("fingerprint", fingerprints))
      .groupBy("fingerprint")
      .having(({ fn }) => fn.countAll<number>(), "<=", mostCopies);
    return this.database.selectFrom("scanned_file").selectAll().where("fingerprint", "in", rare).execute();
  }

  /** Files by path, a part at a time. */
  async list(query: { format?: string; tagged?: boolean; after?: string; limit: number }): Promise<ScannedFileTable[]> {
    const { format, tagged, after, limit } = query;
    return this.database
      .selectFrom("scanned_file")
      .selectAll()
      .$if(format !== undefined, (rows) => rows.where("format", "=", format!))
      .$if(tagged !== undefined, (rows) => rows.where("tagged", "=", tagged ? 1 : 0))
      .$if(after !== undefined, (rows) => rows.where("path", ">", after!))
      .orderBy("path")
      .limit(limit)
      .execute();
  }

  listOfSeries(seriesId: number): Promise<ScannedFileTable[]> {
    return this.database
      .selectFrom("scanned_file")
      .selectAll()
      .where("series_id", "=", seriesId)
      .orderBy("path")
      .execute();
  }

  /** Files went to other places, contents unchanged. */
  async move(moves: ReadonlyArray<{ readonly from: string; readonly to: string }>): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      for (const { from, to } of moves) {
        await this.#forget(transaction, isAmong("path", [to]));
        await this.fingerprints.move(transaction, { from, to });
        await transaction
          .updateTable("scanned_file")
          .set({ path: to, name_md5: nameMd5(to) })
          .where("path", "=", from)
          .execute();
      }
    });
  }

  /** Only what the disk says of a file changed: its contents are what they were. */
  async touch(files: readonly ScannedFile[], libraryId: number): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const known = await transaction
        .selectFrom("scanned_file")
        .select(["path", "issue_id as issueId"])
        .where(
          isAmong(
            "path",
            files.map(({ file }) => file.path),
          ),
        )
        .execute();
      const issues = new Map(known.map(({ path, issueId }) => [path, issueId]));
      const seen = files.flatMap(({ file: { path }, partialMd5 }): SeenFile[] => {
        const issueId = issues.get(path);
        return issueId === undefined ? [] : [{ path, partialMd5, issueId }];
      });
      await this.fingerprints.replace(transaction, seen);
      for (const { file, state, partialMd5 } of files)
        await transaction
          .updateTable("scanned_file")
          .set({
            library_id: libraryId,
            size_bytes: file.sizeBytes,
            modified_ms: state.modifiedMs,
            tags_ms: state.tagsMs,
            ...fingerprintsOf({ path: file.path, partialMd5 }),
          })
          .where("path", "=", file.path)
          .execute();
    });
  }

  async forget(paths: readonly string[]): Promise<void> {
    await this.database.transaction().execute((transaction) => this.#forget(transaction, isAmong("path", paths)));
  }

  /** Forgets deleted libraries. Their files are read again if one of them comes back. */
  async keepOnly(libraryIds: readonly number[]): Promise<void> {
    const known = await this.database.selectFrom("scanned_file").select("library_id").distinct().execute();
    const gone = known.map((row) => row.library_id).filter((id) => !libraryIds.includes(id));
    if (gone.length === 0) return;
    await this.database.transaction().execute((transaction) => this.#forget(transaction, isAmong("library_id", gone)));
  }

  async #forget(transaction: Transaction<FilesTables>, which: Expression<SqlBool>): Promise<void> {
    await this.fingerprints.keepFormer(which, transaction);
    await transaction.deleteFrom("scanned_file").where(which).execute();
  }

  /** Files of a library that do not lie below its root, because the root was changed. */
  async listOutside(libraryId: number, rootFolder: string): Promise<string[]> {
    const rows = await this.database
      .selectFrom("scanned_file")
      .select("path")
      .where("library_id", "=", libraryId)
      .where((eb) => eb.or([eb("path", "<", `${rootFolder}/`), eb("path", ">=", `${rootFolder}0`)]))
      .execute();
    return rows.map((row) => row.path);
  }
}

const columns = [
  "library_id",
  "size_bytes",
  "modified_ms",
  "tags_ms",
  "fingerprint",
  "format",
  "tagged",
  "error",
  "details",
  "series_id",
  "issue_id",
  "doubts",
  "partial_md5",
  "name_md5",
] as const;

const upsertFiles = rowsInsert<FilesTables, ScannedFileTable>((database, rows) =>
  database
    .insertInto("scanned_file")
    .values(rows)
    .onConflict((conflict) => conflict.column("path").doUpdateSet(excluded(columns))),
);

function rowOf(scanned: ScannedFile, place: PlacedFile): ScannedFileTable {
  const { file, state, fingerprint, partialMd5, details, doubts } = scanned;
  return {
    path: file.path,
    library_id: file.libraryId,
    size_bytes: file.sizeBytes,
    modified_ms: state.modifiedMs,
    tags_ms: state.tagsMs,
    fingerprint,
    format: state.format,
    tagged: file.tagged ? 1 : 0,
    error: file.error ?? null,
    details: details ?? null,
    series_id: place.seriesId,
    issue_id: place.issueId,
    doubts: doubts ? JSON.stringify(doubts) : null,
    ...fingerprintsOf({ path: file.path, partialMd5 }),
  };
}
