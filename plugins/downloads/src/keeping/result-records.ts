import { randomUUID } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import { storedRelease } from "../deciding/release-shape.js";
import type { Found } from "../deciding/searching.js";
import type { DownloadTables, ResultTable } from "../tables.js";

export type StoredResult = Selectable<ResultTable>;

const keptMs = 24 * 3_600_000;

/** What searches found, for as long as a person may take it: a client names a result, never an address. */
export class ResultRecords {
  constructor(private readonly database: Kysely<DownloadTables>) {}

  /** @returns the ids, in the order of the results */
  async keep(
    found: readonly Found[],
    search: { readonly userId: number; readonly seriesId: number; readonly issueId: number | undefined },
  ): Promise<string[]> {
    const rows = found.map(({ place, release, pack }) => ({
      id: randomUUID(),
      user_id: search.userId,
      series_id: search.seriesId,
      issue_id: search.issueId ?? null,
      source_id: place.source.id,
      source_name: place.source.name,
      release: storedRelease(release),
      is_pack: pack ? (1 as const) : (0 as const),
      created_at: Date.now(),
    }));
    await this.database.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom("result")
        .where("created_at", "<", Date.now() - keptMs)
        .execute();
      for (let at = 0; at < rows.length; at += 50)
        await transaction
          .insertInto("result")
          .values(rows.slice(at, at + 50))
          .execute();
    });
    return rows.map(({ id }) => id);
  }

  /** Undefined also where it is of another user's search, or too old. */
  async find(id: string, userId: number): Promise<StoredResult | undefined> {
    return this.database
      .selectFrom("result")
      .selectAll()
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .where("created_at", ">=", Date.now() - keptMs)
      .executeTakeFirst();
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.deleteFrom("result").where("user_id", "=", userId).execute();
  }
}
