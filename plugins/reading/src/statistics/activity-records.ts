import { isAmong } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { ReadingTables } from "../tables.js";
import type { Amount, AmountAt } from "./days.js";

export interface Narrowing {
  readonly types: readonly string[] | undefined;
  /** Works that must not be counted. */
  readonly hidden: ReadonlySet<number>;
}

/** Sums over the reading of a user. The queries are long, so pass the database's reader. */
export class ActivityRecords {
  readonly #database: Kysely<ReadingTables>;

  constructor(database: Kysely<ReadingTables>) {
    this.#database = database;
  }

  /** Every work that the user has read, marked or finished. */
  async listWorks(userId: number): Promise<number[]> {
    const [read, kept] = await Promise.all(
      (["history", "progress"] as const).map((table) =>
        this.#database.selectFrom(table).select("issue_id").distinct().where("user_id", "=", userId).execute(),
      ),
    );
    return [...new Set([...(read ?? []), ...(kept ?? [])].map((row) => row.issue_id))];
  }

  /** By quarters of an hour, in their order. */
  async byQuarter(userId: number, { types, hidden }: Narrowing, since?: number): Promise<AmountAt[]> {
    const rows = await this.#database
      .selectFrom("history")
      .select(({ fn }) => ["quarter_at", fn.sum<number>("pages").as("pages")])
      .select(({ fn }) => [fn.sum<number>("seconds").as("seconds"), fn.sum<number>("finished").as("finished")])
      .where("user_id", "=", userId)
      .$if(since !== undefined, (query) => query.where("quarter_at", ">=", since!))
      .$if(types !== undefined, (query) => query.where("work_type", "in", types ?? []))
      .$if(hidden.size > 0, (query) => query.where(({ not }) => not(isAmong("issue_id", [...hidden]))))
      .groupBy("quarter_at")
      .orderBy("quarter_at")
      .execute();
    return rows.map((row) => ({ at: row.quarter_at, ...amountOf(row) }));
  }

  /** By work; the collection knows which of them belong to the same series. */
  async byWork(userId: number, { types, hidden }: Narrowing): Promise<Array<Amount & { issueId: number }>> {
    const rows = await this.#database
      .selectFrom("history")
      .select(({ fn }) => ["issue_id", fn.sum<number>("pages").as("pages")])
      .select(({ fn }) => [fn.sum<number>("seconds").as("seconds"), fn.sum<number>("finished").as("finished")])
      .where("user_id", "=", userId)
      .$if(types !== undefined, (query) => query.where("work_type", "in", types ?? []))
      .groupBy("issue_id")
      .execute();
    return rows.filter((row) => !hidden.has(row.issue_id)).map((row) => ({ issueId: row.issue_id, ...amountOf(row) }));
  }

  /** Completions, and works that are begun and not finished. */
  async countWorks(userId: number, { types, hidden }: Narrowing): Promise<{ finished: number; begun: number }> {
    const row = await this.#database
      .selectFrom("progress")
      .select(({ fn }) => [
        fn.sum<number | null>("times_finished").as("finished"),
        fn.countAll<number>().filterWhere("completed", "=", 0).as("begun"),
      ])
      .where("user_id", "=", userId)
      .where("kind", "<>", "none")
      .$if(types !== undefined, (query) => query.where("work_type", "in", types ?? []))
      .$if(hidden.size > 0, (query) => query.where(({ not }) => not(isAmong("issue_id", [...hidden]))))
      .executeTakeFirstOrThrow();
    return { finished: Number(row.finished ?? 0), begun: Number(row.begun) };
  }
}

/** Sums come as text from some databases. */
function amountOf(row: { pages: number; seconds: number; finished: number }): Amount {
  return { pages: Number(row.pages), seconds: Number(row.seconds), finished: Number(row.finished) };
}
