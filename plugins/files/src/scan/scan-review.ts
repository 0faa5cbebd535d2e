import { isAmong, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Library } from "@longbox/collection/contract";
import type { FilesDatabase } from "../tables.js";
import type { IgnoredPath } from "./ignored.js";

/** A file whose name can be read in another way, and where the scan has put it. */
export interface DoubtfulFile {
  readonly path: string;
  readonly libraryId: number;
  readonly seriesId: number;
  readonly issueId: number;
  /** The label of its issue, such as "Moth Patrol #3 (2019)". */
  readonly readAs: string;
  readonly reasons: readonly string[];
}

export interface ReviewPage {
  readonly libraryIds: readonly number[];
  readonly after: string;
  readonly limit: number;
}

const rowsAtOnce = 500;

/** Uncertain readings, until a person has confirmed them, and ignored files. */
export class ScanReview {
  readonly #database: FilesDatabase;
  readonly #collection: CollectionContract;

  constructor(database: FilesDatabase, collection: CollectionContract) {
    this.#database = database;
    this.#collection = collection;
  }

  /** By path. Files of series that are hidden from the viewer are left out. */
  async listDoubtful({ libraryIds, after, limit }: ReviewPage, viewer: Viewer): Promise<readonly DoubtfulFile[]> {
    const rows = await this.#doubtful(libraryIds)
      .select(["path", "library_id", "series_id", "issue_id", "doubts"])
      .where("path", ">", after)
      .orderBy("path")
      .limit(limit)
      .execute();
    const issues = await this.#collection.findIssues([...new Set(rows.map((row) => row.issue_id))], viewer);
    const byId = new Map(issues.map((issue) => [issue.id, issue]));
    return rows.flatMap((row) => {
      const issue = byId.get(row.issue_id);
      if (!issue) return [];
      const { path, library_id: libraryId, issue_id: issueId } = row;
      const reasons = JSON.parse(row.doubts!) as string[];
      return [{ path, libraryId, issueId, seriesId: issue.seriesId, readAs: issue.label.full, reasons }];
    });
  }

  /** A person has looked at them: they are shown again only when they are read with other doubts. @returns how many */
  async settle(paths: readonly string[], libraryIds: readonly number[]): Promise<number> {
    const { numUpdatedRows } = await this.#database
      .updateTable("scanned_file")
      .set((eb) => ({ doubts_settled: eb.ref("doubts") }))
      .where(isAmong("path", paths))
      .where(isAmong("library_id", libraryIds))
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  async listIgnored({
    libraryIds,
    after,
    limit,
  }: ReviewPage): Promise<ReadonlyArray<IgnoredPath & { libraryId: number }>> {
    const rows = await this.#database
      .selectFrom("ignored_path")
      .selectAll()
      .where(isAmong("library_id", libraryIds))
      .where("path", ">", after)
      .orderBy("path")
      .limit(limit)
      .execute();
    return rows.map(({ path, library_id: libraryId, reason }) => ({ path, libraryId, reason }));
  }

  /** The files that a scan of these places ignored; without places, of the whole library. */
  async replaceIgnored(
    { id, rootFolder }: Pick<Library, "id" | "rootFolder">,
    scope: readonly string[],
    ignored: readonly IgnoredPath[],
  ): Promise<void> {
    const rows = [...new Map(ignored.map(({ path, reason }) => [path, { path, library_id: id, reason }])).values()];
    await this.#database.transaction().execute(async (transaction) => {
      const before = transaction.deleteFrom("ignored_path").where("library_id", "=", id);
      if (scope.length === 0 || scope.includes(rootFolder)) await before.execute();
      else
        for (const place of scope)
          await before
            .where((eb) =>
              eb.or([eb("path", "=", place), eb.and([eb("path", ">", `${place}/`), eb("path", "<", `${place}0`)])]),
            )
            .execute();
      for (let at = 0; at < rows.length; at += rowsAtOnce)
        await transaction
          .insertInto("ignored_path")
          .values(rows.slice(at, at + rowsAtOnce))
          .onConflict((conflict) =>
            conflict.column("path").doUpdateSet((eb) => ({
              library_id: eb.ref("excluded.library_id"),
              reason: eb.ref("excluded.reason"),
            })),
          )
          .execute();
    });
  }

  #doubtful(libraryIds: readonly number[]) {
    return this.#database
      .selectFrom("scanned_file")
      .where(isAmong("library_id", libraryIds))
      .where("doubts", "is not", null)
      .where((eb) => eb.or([eb("doubts_settled", "is", null), eb("doubts_settled", "<>", eb.ref("doubts"))]));
  }
}
