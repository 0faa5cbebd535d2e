import { givenRows, isAmong } from "@longbox/sdk";
import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from "kysely";
import { nothingRead, type Progress } from "../progress/merging.js";
import type { ReadingTables } from "../tables.js";
import {
  givenWorks,
  progressColumns,
  toProgress,
  toRow,
  type ProgressRow,
  type WorkHints,
  type WorkKey,
} from "./progress-rows.js";

/** The cursor of a list: it continues after the row with this time and work. */
export interface Place {
  readonly at: number;
  readonly issueId: number;
}

export interface ListPart {
  readonly after: Place | undefined;
  readonly limit: number;
  readonly types: readonly string[] | undefined;
}

/** The progress of all users in all works. */
export class ProgressRecords {
  readonly #database: Kysely<ReadingTables>;

  constructor(database: Kysely<ReadingTables>) {
    this.#database = database;
  }

  async find(userId: number, issueIds: readonly number[]): Promise<ProgressRow[]> {
    return this.#database
      .selectFrom("progress")
      .selectAll()
      .where("user_id", "=", userId)
      .where(isAmong("issue_id", issueIds))
      .execute();
  }

  /** The progress in each of these works; an empty one where there is no row. */
  async getEach(works: readonly WorkKey[]): Promise<Progress[]> {
    const rows = await this.#database
      .selectFrom("progress")
      .innerJoin(givenWorks(works), (join) =>
        join.onRef("progress.user_id", "=", "given.user_id").onRef("progress.issue_id", "=", "given.issue_id"),
      )
      .selectAll("progress")
      .execute();
    return works.map(({ userId, issueId }) => {
      const row = rows.find((each) => each.user_id === userId && each.issue_id === issueId);
      return row ? toProgress(row) : nothingRead;
    });
  }

  /** Each work once. */
  async put(works: ReadonlyArray<WorkKey & { readonly work: WorkHints; readonly progress: Progress }>): Promise<void> {
    const rows = works.map(({ userId, issueId, work, progress }) => toRow({ userId, issueId }, work, progress));
    await this.#database
      .insertInto("progress")
      .columns(columns)
      .expression((from) =>
        from.selectFrom(givenRows(progressColumns, rows).as("given")).select(columns).where(from.lit(true)),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["user_id", "issue_id"])
          .doUpdateSet((set) => Object.fromEntries(updated.map((column) => [column, set.ref(`excluded.${column}`)]))),
      )
      .execute();
  }

  /** In progress, last read first. */
  async listBegun(userId: number, { after, limit, types }: ListPart): Promise<ProgressRow[]> {
    return this.#database
      .selectFrom("progress")
      .selectAll()
      .where("user_id", "=", userId)
      .where("completed", "=", 0)
      .where("kind", "<>", unread)
      .$if(types !== undefined, (query) => query.where("work_type", "in", types ?? []))
      .$if(after !== undefined, (query) => query.where((where) => isAfter(where, "read_at", after!)))
      .orderBy("read_at", "desc")
      .orderBy("issue_id", "desc")
      .limit(limit)
      .execute();
  }

  /** Finished, last finished first, including works that are being read again. */
  async listFinished(userId: number, { after, limit, types }: ListPart): Promise<ProgressRow[]> {
    return this.#database
      .selectFrom("progress")
      .selectAll()
      .where("user_id", "=", userId)
      .where("finished_at", "is not", null)
      .$if(types !== undefined, (query) => query.where("work_type", "in", types ?? []))
      .$if(after !== undefined, (query) => query.where((where) => isAfter(where, "finished_at", after!)))
      .orderBy("finished_at", "desc")
      .orderBy("issue_id", "desc")
      .limit(limit)
      .execute();
  }

  /** The last finished work of each series, last finished first. Reads all finished works of the user. */
  async listFinishedSeries(userId: number, limit: number): Promise<ProgressRow[]> {
    return this.#database
      .with("ranked", (query) =>
        query
          .selectFrom("progress")
          .select((select) => [
            "issue_id",
            "finished_at",
            select.fn
              .agg<number>("row_number")
              .over((over) => over.partitionBy("series_id").orderBy("finished_at", "desc").orderBy("issue_id", "desc"))
              .as("place_in_series"),
          ])
          .where("user_id", "=", userId)
          .where("kind", "<>", unread)
          .where("finished_at", "is not", null),
      )
      .selectFrom("ranked")
      .innerJoin("progress", (join) =>
        join.onRef("progress.issue_id", "=", "ranked.issue_id").on("progress.user_id", "=", userId),
      )
      .selectAll("progress")
      .where("ranked.place_in_series", "=", 1)
      .orderBy("ranked.finished_at", "desc")
      .orderBy("ranked.issue_id", "desc")
      .limit(limit)
      .execute();
  }

  /** The series with a work that is in progress or finished, and how many works of each are finished. */
  async countBySeries(userId: number): Promise<Array<{ readonly seriesId: number; readonly completed: number }>> {
    return await this.#database
      .selectFrom("progress")
      .select((select) => ["series_id as seriesId", select.fn.sum<number>("completed").as("completed")])
      .where("user_id", "=", userId)
      .where("kind", "<>", unread)
      .groupBy("series_id")
      .execute();
  }

  /** The series among these with a work that is in progress or finished. */
  async findSeries(userId: number, seriesIds: readonly number[]): Promise<number[]> {
    const rows = await this.#database
      .selectFrom("progress")
      .select("series_id")
      .distinct()
      .where("user_id", "=", userId)
      .where("kind", "<>", unread)
      .where(isAmong("series_id", seriesIds))
      .execute();
    return rows.map((row) => row.series_id);
  }
}

/** In the text of a statement, as in the conditions of its indexes. */
const unread = sql.lit("none");
const columns = Object.keys(progressColumns) as Array<keyof ReadingTables["progress"]>;
const updated = columns.filter((column) => column !== "user_id" && column !== "issue_id");

function isAfter(
  { eb, and, or }: ExpressionBuilder<ReadingTables, "progress">,
  column: "read_at" | "finished_at",
  { at, issueId }: Place,
): Expression<SqlBool> {
  return and([eb(column, "<=", at), or([eb(column, "<", at), eb("issue_id", "<", issueId)])]);
}
