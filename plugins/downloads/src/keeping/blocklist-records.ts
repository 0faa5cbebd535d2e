import { isAmong } from "@longbox/sdk";
import type { Kysely, Selectable } from "kysely";
import type { BlockedTable, DownloadTables, NamedColumns } from "../tables.js";

export type BlockedRow = Selectable<BlockedTable>;

/** Releases that are not grabbed again by themselves. */
export class BlocklistRecords {
  constructor(private readonly database: Kysely<DownloadTables>) {}

  /** Adds a release, once. */
  async add(
    names: NamedColumns,
    release: { readonly key: string; readonly source: string; readonly title: string; readonly reason: string },
  ): Promise<void> {
    await this.database
      .insertInto("blocked")
      .values({
        ...names,
        release_key: release.key,
        source: release.source,
        title: release.title,
        reason: release.reason,
        created_at: Date.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async among(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database
      .selectFrom("blocked")
      .select(["release_key", "reason"])
      .where(isAmong("release_key", keys))
      .execute();
    return new Map(rows.map(({ release_key, reason }) => [release_key, reason]));
  }

  async list(
    page: { readonly limit: number; readonly offset: number },
    seesRestricted: boolean,
  ): Promise<{ rows: BlockedRow[]; total: number }> {
    const shown = this.#shown(seesRestricted);
    const { total } = await shown.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const rows = await shown.selectAll().orderBy("id", "desc").limit(page.limit).offset(page.offset).execute();
    return { rows, total };
  }

  /** @returns whether there was such a row for the viewer */
  async remove(id: number, seesRestricted: boolean): Promise<boolean> {
    const row = await this.#shown(seesRestricted).select("id").where("id", "=", id).executeTakeFirst();
    if (row) await this.database.deleteFrom("blocked").where("id", "=", id).execute();
    return row !== undefined;
  }

  /** @returns how many rows went; those that the viewer may not know of stay */
  async clear(seesRestricted: boolean): Promise<number> {
    const gone = this.database.deleteFrom("blocked");
    const { numDeletedRows } = await (
      seesRestricted ? gone : gone.where("restricted", "=", 0)
    ).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  #shown(seesRestricted: boolean) {
    const all = this.database.selectFrom("blocked");
    return seesRestricted ? all : all.where("restricted", "=", 0);
  }
}
