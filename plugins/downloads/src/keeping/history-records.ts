import type { Kysely, Selectable } from "kysely";
import type { DownloadTables, HistoryTable, NamedColumns } from "../tables.js";

export type HistoryRow = Selectable<HistoryTable>;

export interface HistoryEvent {
  /** The same event is written once. */
  readonly key: string;
  readonly outcome: "imported" | "failed";
  readonly release: string;
  readonly source: string;
  readonly path?: string | undefined;
  readonly error?: string | undefined;
}

/** What became of downloads. */
export class HistoryRecords {
  constructor(private readonly database: Kysely<DownloadTables>) {}

  /** @returns whether it was not written before */
  async add(names: NamedColumns, event: HistoryEvent): Promise<boolean> {
    const row = await this.database
      .insertInto("history")
      .values({
        ...names,
        event_key: event.key,
        outcome: event.outcome,
        at: Date.now(),
        release: event.release,
        source: event.source,
        path: event.path ?? null,
        error: event.error ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    return row !== undefined;
  }

  async list(
    outcome: "imported" | "failed",
    page: { readonly limit: number; readonly offset: number },
    seesRestricted: boolean,
  ): Promise<{ rows: HistoryRow[]; total: number }> {
    const all = this.database.selectFrom("history").where("outcome", "=", outcome);
    const shown = seesRestricted ? all : all.where("restricted", "=", 0);
    const { total } = await shown.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const rows = await shown.selectAll().orderBy("id", "desc").limit(page.limit).offset(page.offset).execute();
    return { rows, total };
  }

  /** How many events have keys that begin so. @param beginning - without wildcards of SQL */
  async countOf(beginning: string): Promise<number> {
    const { total } = await this.database
      .selectFrom("history")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .where("event_key", ">=", beginning)
      .where("event_key", "<", `${beginning}~`)
      .executeTakeFirstOrThrow();
    return total;
  }

  async forgetBefore(at: number): Promise<void> {
    await this.database.deleteFrom("history").where("at", "<", at).execute();
  }
}
