import { isAmong } from "@longbox/sdk";
import { type Kysely, type Selectable, type Updateable } from "kysely";
import type { DownloadTables, ItemTable, NamedColumns } from "../tables.js";
import { isOpen, sourcesOf, transitions, type ItemEvent, type ItemState } from "./states.js";

export type Item = Selectable<ItemTable>;

export interface NewItem {
  readonly names: NamedColumns;
  readonly kind: "issue" | "pack";
  readonly userId: number;
  readonly replaces: boolean;
  /** What a person took; without it the server searches. */
  readonly taken?:
    | Pick<ItemTable, "source_id" | "source_name" | "release_key" | "release_title" | "release">
    | undefined;
}

/** What an attempt leaves behind in an item, removed. */
export const withoutRelease = {
  source_id: null,
  source_name: null,
  release_key: null,
  release_title: null,
  release: null,
  client_id: null,
  grab_key: null,
  client_download: null,
  missing_since: null,
  moved_at: null,
  path: null,
  total_bytes: null,
  validator: null,
  phase: null,
  delays: 0,
} satisfies Updateable<ItemTable>;

/** The phase of items that wait for a source or client which is not there. */
export const awayPhase = "waiting for a plugin";

const underWay: readonly ItemState[] = ["searching", "downloading", "importing"];

/** The items of the queue. Every change of a state goes through the machine. */
export class ItemRecords {
  constructor(private readonly database: Kysely<DownloadTables>) {}

  async find(id: number): Promise<Item | undefined> {
    return this.database.selectFrom("item").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Adds what has no open item yet. @returns the added items */
  async add(items: readonly NewItem[]): Promise<Item[]> {
    const now = Date.now();
    const added: Item[] = [];
    await this.database.transaction().execute(async (transaction) => {
      const { last } = await transaction
        .selectFrom("item")
        .select((eb) => eb.fn.max<number | null>("position").as("last"))
        .executeTakeFirstOrThrow();
      let position = last ?? 0;
      for (const item of items) {
        const row = await transaction
          .insertInto("item")
          .values({ ...freshItem(item, now), position: ++position })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row) added.push(row);
      }
    });
    return added;
  }

  /**
   * Moves an item on, where the machine knows the event in the state that it is in now.
   * @returns the item as it is afterwards; undefined when the event came too late
   */
  async advance(id: number, event: ItemEvent, set: Updateable<ItemTable> = {}): Promise<Item | undefined> {
    for (const [from, to] of sourcesOf(event)) {
      const now = Date.now();
      const row = await this.database
        .updateTable("item")
        .set({
          state: to,
          open: isOpen(to) ? 1 : 0,
          changed_at: now,
          ended_at: isOpen(to) ? null : now,
          ...set,
        })
        .where("id", "=", id)
        .where("state", "=", from)
        .returningAll()
        .executeTakeFirst();
      if (row) return row;
    }
    return undefined;
  }

  /** Changes what an item says of itself while it is in a state. */
  async note(id: number, state: ItemState, set: Updateable<ItemTable>): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable("item")
      .set({ ...set, changed_at: Date.now() })
      .where("id", "=", id)
      .where("state", "=", state)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async change(id: number, set: Pick<Updateable<ItemTable>, "priority" | "held" | "next_at">): Promise<void> {
    await this.database
      .updateTable("item")
      .set({ ...set, changed_at: Date.now() })
      .where("id", "=", id)
      .execute();
  }

  /** The next items whose turn it is. @param except - those that are worked on already */
  async next(limit: number, except: ReadonlySet<number>): Promise<Item[]> {
    const rows = await this.database
      .selectFrom("item")
      .selectAll()
      .where("state", "=", "queued")
      .where("held", "=", 0)
      .where("next_at", "<=", Date.now())
      .orderBy("priority", "desc")
      .orderBy("position")
      .orderBy("id")
      .limit(limit + except.size)
      .execute();
    return rows.filter(({ id }) => !except.has(id)).slice(0, limit);
  }

  /** When the next item that waits for a time may go on; undefined when none does. */
  async nextAt(): Promise<number | undefined> {
    const { at } = await this.database
      .selectFrom("item")
      .select((eb) => eb.fn.min<number | null>("next_at").as("at"))
      .where("state", "=", "queued")
      .where("held", "=", 0)
      .executeTakeFirstOrThrow();
    return at ?? undefined;
  }

  /** A source or client came: what waits for one may go on. */
  async endWaiting(): Promise<void> {
    await this.database
      .updateTable("item")
      .set({ next_at: Date.now() })
      .where("state", "=", "queued")
      .where("phase", "=", awayPhase)
      .execute();
  }

  /** What was under way when the server stopped. Searches begin again. */
  async interrupted(): Promise<Item[]> {
    await this.database
      .updateTable("item")
      .set({ state: transitions.searching.again!, changed_at: Date.now() })
      .where("state", "=", "searching")
      .execute();
    return this.database.selectFrom("item").selectAll().where(isAmong("state", underWay)).orderBy("id").execute();
  }

  async inState(state: ItemState): Promise<Item[]> {
    return this.database.selectFrom("item").selectAll().where("state", "=", state).orderBy("id").execute();
  }

  async has(state: ItemState): Promise<boolean> {
    const row = await this.database
      .selectFrom("item")
      .select("id")
      .where("state", "=", state)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Open items of these issues, and those that ended last. */
  async latestOf(issueIds: readonly number[]): Promise<Item[]> {
    const latest = this.database
      .selectFrom("item")
      .select((eb) => eb.fn.max("id").as("id"))
      .where(isAmong("issue_id", issueIds))
      .groupBy("issue_id");
    return this.database.selectFrom("item").selectAll().where("id", "in", latest).execute();
  }

  /** The keys of releases that open items have. */
  async takenReleases(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database
      .selectFrom("item")
      .select(["id", "release_key"])
      .where(isAmong("release_key", keys))
      .where("open", "=", 1)
      .execute();
    return new Map(rows.map(({ id, release_key }) => [release_key!, id]));
  }

  /** Puts items into this order, before all others of their priority. */
  async order(ids: readonly number[]): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const { first } = await transaction
        .selectFrom("item")
        .select((eb) => eb.fn.min<number | null>("position").as("first"))
        .where("open", "=", 1)
        .executeTakeFirstOrThrow();
      const begin = (first ?? 0) - ids.length;
      for (const [at, id] of ids.entries())
        await transaction
          .updateTable("item")
          .set({ position: begin + at })
          .where("id", "=", id)
          .execute();
    });
  }

  async forgetEndedBefore(at: number): Promise<void> {
    await this.database.deleteFrom("item").where("open", "=", 0).where("ended_at", "<", at).execute();
  }

  async handOver(from: number, to: number): Promise<void> {
    await this.database.updateTable("item").set({ user_id: to }).where("user_id", "=", from).execute();
  }
}

function freshItem({ names, kind, userId, replaces, taken }: NewItem, now: number) {
  return {
    ...withoutRelease,
    ...names,
    kind,
    user_id: userId,
    state: "queued" as const,
    open: 1 as const,
    replaces: replaces ? (1 as const) : (0 as const),
    priority: 0,
    position: 0,
    held: 0 as const,
    attempts: 0,
    next_at: now,
    error: null,
    queued_at: now,
    changed_at: now,
    ended_at: null,
    ...taken,
  };
}
