import { foldText, foldTitle, givenRows, inBatches, isAmong } from "@longbox/sdk";
import type { Insertable, Selectable } from "kysely";
import {
  type ItemTable,
  type ListsDatabase,
  type ListsTransaction,
  type ListTable,
  type UnmatchedTable,
  type Waiting,
} from "../tables.js";

export type ListRecord = Selectable<ListTable>;
export type ItemRecord = Selectable<ItemTable>;
export type UnmatchedRecord = Selectable<UnmatchedTable>;
export type NewList = Omit<Insertable<ListTable>, "id" | "name_key">;
export type NewItem = Omit<Insertable<ItemTable>, "id" | "list_id" | "position">;
export type NewUnmatched = Omit<Insertable<UnmatchedTable>, "id" | "list_id" | "position" | "series_key">;
/** The content of a new list, in order. */
export type Entry = { readonly item: NewItem } | { readonly unmatched: NewUnmatched };

/** The tables of the lists. */
export class ListRecords {
  readonly #database: ListsDatabase;

  constructor(database: ListsDatabase) {
    this.#database = database;
  }

  async find(id: number): Promise<ListRecord | undefined> {
    return await this.#database.selectFrom("list").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** A user's own lists first, then the public ones of others, each by name. */
  async listReadable(userId: number): Promise<ListRecord[]> {
    const all = this.#database
      .selectFrom("list")
      .selectAll()
      .where((eb) => eb.or([eb("user_id", "=", userId), eb("public", "=", 1)]));
    return await all
      .orderBy((eb) => eb.case().when("user_id", "=", userId).then(0).else(1).end())
      .orderBy("name_key")
      .orderBy("id")
      .execute();
  }

  async countOf(userId: number): Promise<number> {
    const { count } = await this.#database
      .selectFrom("list")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Makes a list and fills it, in one transaction. @returns its id */
  async create(list: NewList, entries: readonly Entry[]): Promise<number> {
    return await this.#database.transaction().execute(async (transaction) => {
      const { id } = await transaction
        .insertInto("list")
        .values({ ...list, name_key: foldText(list.name) })
        .returning("id")
        .executeTakeFirstOrThrow();
      await append(transaction, id, entries);
      return id;
    });
  }

  async append(listId: number, entries: readonly Entry[]): Promise<void> {
    await this.#database.transaction().execute((transaction) => append(transaction, listId, entries));
  }

  async change(id: number, set: Partial<Pick<ListRecord, "name" | "public">>): Promise<void> {
    const key = set.name === undefined ? {} : { name_key: foldText(set.name) };
    await this.#database
      .updateTable("list")
      .set({ ...set, ...key })
      .where("id", "=", id)
      .execute();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom("list").where("id", "=", id).execute();
  }

  async items(listId: number): Promise<ItemRecord[]> {
    return await this.#database
      .selectFrom("item")
      .selectAll()
      .where("list_id", "=", listId)
      .orderBy("position")
      .orderBy("id")
      .execute();
  }

  async unmatched(listId: number): Promise<UnmatchedRecord[]> {
    return await this.#database
      .selectFrom("unmatched")
      .selectAll()
      .where("list_id", "=", listId)
      .orderBy("position")
      .orderBy("id")
      .execute();
  }

  /** Books that have not been looked up yet, in order. */
  async waiting(listId: number, place: Waiting, limit?: number): Promise<UnmatchedRecord[]> {
    return await this.#database
      .selectFrom("unmatched")
      .selectAll()
      .where("list_id", "=", listId)
      .where("waits_for", "=", place)
      .orderBy("position")
      .orderBy("id")
      .$if(limit !== undefined, (query) => query.limit(limit as number))
      .execute();
  }

  async hasUnmatched(): Promise<boolean> {
    return (await this.#database.selectFrom("unmatched").select("id").limit(1).executeTakeFirst()) !== undefined;
  }

  /**
   * Unmatched books of all lists that no job is looking for, by id: those of these series, by their folded titles, or
   * all.
   */
  async unmatchedAfter(range: {
    readonly after: number;
    readonly limit: number;
    readonly seriesKeys: readonly string[] | undefined;
  }): Promise<UnmatchedRecord[]> {
    return await this.#database
      .selectFrom("unmatched")
      .selectAll()
      .where("id", ">", range.after)
      .where("waits_for", "is", null)
      .$if(range.seriesKeys !== undefined, (query) => query.where(isAmong("series_key", range.seriesKeys ?? [])))
      .orderBy("id")
      .limit(range.limit)
      .execute();
  }

  async countWaiting(listId: number, place: Waiting): Promise<number> {
    const { count } = await this.#database
      .selectFrom("unmatched")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("list_id", "=", listId)
      .where("waits_for", "=", place)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Marks all unmatched books to be looked up again. */
  async awaitLibrary(listId: number, reason: string): Promise<void> {
    const wait = { waits_for: "library", reason } as const;
    await this.#database.updateTable("unmatched").set(wait).where("list_id", "=", listId).execute();
  }

  async removeItems(listId: number, itemIds: readonly number[]): Promise<void> {
    await this.#database.deleteFrom("item").where("list_id", "=", listId).where(isAmong("id", itemIds)).execute();
  }

  async removeUnmatched(listId: number): Promise<number> {
    return (await this.#database.deleteFrom("unmatched").where("list_id", "=", listId).returning("id").execute())
      .length;
  }

  /** Puts items at positions, all with one statement: a list may have thousands. */
  async place(
    listId: number,
    places: ReadonlyArray<{ readonly id: number; readonly position: number }>,
  ): Promise<void> {
    await this.#database
      .updateTable("item")
      .from(givenRows({ id: "id", position: "count" }, places).as("place"))
      .set((eb) => ({ position: eb.ref("place.position") }))
      .whereRef("item.id", "=", "place.id")
      .where("item.list_id", "=", listId)
      .execute();
  }

  /** Issues without a description, in batches, by id. */
  async undescribed(range: { readonly after: number; readonly limit: number }): Promise<number[]> {
    const rows = await this.#database
      .selectFrom("item")
      .select("cv_issue_id")
      .distinct()
      .where("described", "=", 0)
      .where("cv_issue_id", ">", range.after)
      .orderBy("cv_issue_id")
      .limit(range.limit)
      .execute();
    return rows.map((row) => row.cv_issue_id);
  }

  /** Stores the description of an issue in every list that contains it. */
  async describe(
    cvIssueId: number,
    set: Partial<Pick<ItemRecord, "volume_id" | "series" | "number" | "title" | "cover_date" | "described">>,
  ): Promise<void> {
    await this.#database
      .updateTable("item")
      .set(set)
      .where("cv_issue_id", "=", cvIssueId)
      .where("described", "=", 0)
      .execute();
  }

  /** Turns matched books into items, in their positions. */
  async resolve(
    listId: number,
    found: ReadonlyArray<{ readonly unmatched: UnmatchedRecord; readonly item: NewItem }>,
  ): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      const ids = found.map(({ unmatched }) => unmatched.id);
      const rows = await transaction.deleteFrom("unmatched").where(isAmong("id", ids)).returning("id").execute();
      // Meanwhile, some were dismissed, or the list was deleted.
      const gone = new Set(rows.map(({ id }) => id));
      const items = found
        .filter(({ unmatched }) => gone.has(unmatched.id))
        .map(({ unmatched, item }) => ({ ...item, list_id: listId, position: unmatched.position }));
      for (const some of inBatches(items)) await transaction.insertInto("item").values(some).execute();
    });
  }

  async explain(
    unmatchedIds: readonly number[],
    set: Partial<Pick<UnmatchedRecord, "reason" | "waits_for">>,
  ): Promise<void> {
    await this.#database.updateTable("unmatched").set(set).where(isAmong("id", unmatchedIds)).execute();
  }

  /** @returns the ids of the lists that are gone */
  async forgetUser(userId: number): Promise<number[]> {
    return (await this.#database.deleteFrom("list").where("user_id", "=", userId).returning("id").execute()).map(
      (row) => row.id,
    );
  }

  async handOver(from: number, to: number): Promise<void> {
    await this.#database.updateTable("list").set({ user_id: to }).where("user_id", "=", from).execute();
  }
}

async function append(transaction: ListsTransaction, listId: number, entries: readonly Entry[]): Promise<void> {
  const last = async (table: "item" | "unmatched") =>
    (
      await transaction
        .selectFrom(table)
        .select((eb) => eb.fn.max("position").as("last"))
        .where("list_id", "=", listId)
        .executeTakeFirst()
    )?.last ?? 0;
  const start = Math.max(await last("item"), await last("unmatched")) + 1;
  const placed = entries.map((entry, index) => ({ entry, list_id: listId, position: start + index }));
  const items = placed.flatMap(({ entry, ...place }) => ("item" in entry ? [{ ...entry.item, ...place }] : []));
  const unmatched = placed.flatMap(({ entry, ...place }) =>
    "unmatched" in entry ? [{ ...entry.unmatched, series_key: foldTitle(entry.unmatched.series), ...place }] : [],
  );
  for (const some of inBatches(items)) await transaction.insertInto("item").values(some).execute();
  for (const some of inBatches(unmatched)) await transaction.insertInto("unmatched").values(some).execute();
}
