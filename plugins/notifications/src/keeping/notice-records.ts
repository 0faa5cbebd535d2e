import { isAmong } from "@longbox/sdk";
import type { Insertable, Kysely, Selectable, Transaction } from "kysely";
import type { NoticeTable, NotificationTables } from "../tables.js";

export type NoticeRecord = Selectable<NoticeTable>;
export type NewNotice = Omit<Insertable<NoticeTable>, "id">;

export interface NoticeQuery {
  readonly userId: number;
  readonly seesRestricted: boolean;
  readonly unread?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** The notifications of all users. */
export class NoticeRecords {
  constructor(private readonly database: Kysely<NotificationTables>) {}

  /** Newest first. */
  async list({ userId, seesRestricted, unread, limit, offset }: NoticeQuery): Promise<NoticeRecord[]> {
    return this.database
      .selectFrom("notice")
      .selectAll()
      .where("user_id", "=", userId)
      .where("shown", "=", 1)
      .$if(!seesRestricted, (query) => query.where("restricted", "=", 0))
      .$if(unread === true, (query) => query.where("read", "=", 0))
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
  }

  async count({ userId, seesRestricted, unread }: Omit<NoticeQuery, "limit" | "offset">): Promise<number> {
    const { total } = await this.database
      .selectFrom("notice")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .where("user_id", "=", userId)
      .where("shown", "=", 1)
      .$if(!seesRestricted, (query) => query.where("restricted", "=", 0))
      .$if(unread === true, (query) => query.where("read", "=", 0))
      .executeTakeFirstOrThrow();
    return total;
  }

  async find(id: number): Promise<NoticeRecord | undefined> {
    return this.database.selectFrom("notice").selectAll().where("id", "=", id).executeTakeFirst();
  }

  async seriesOf(id: number): Promise<number[]> {
    const rows = await this.database
      .selectFrom("notice_series")
      .select("series_id")
      .where("notice_id", "=", id)
      .execute();
    return rows.map((row) => row.series_id);
  }

  /** Stores one notification, in place of an unread one with the same key. @returns its id */
  async put(transaction: Transaction<NotificationTables>, notice: NewNotice, seriesIds: readonly number[]) {
    if (notice.join_key !== null)
      await transaction
        .deleteFrom("notice")
        .where("user_id", "=", notice.user_id)
        .where("join_key", "=", notice.join_key ?? null)
        .where("read", "=", 0)
        .execute();
    const { id } = await transaction.insertInto("notice").values(notice).returning("id").executeTakeFirstOrThrow();
    if (seriesIds.length > 0)
      await transaction
        .insertInto("notice_series")
        .values(seriesIds.map((series_id) => ({ notice_id: id, series_id })))
        .execute();
    return id;
  }

  /** @returns how many were unread before */
  async markRead(userId: number, ids: readonly number[] | "all"): Promise<number> {
    const { numUpdatedRows } = await this.database
      .updateTable("notice")
      .set({ read: 1 })
      .where("user_id", "=", userId)
      .where("read", "=", 0)
      .$if(ids !== "all", (query) => query.where(isAmong("id", ids as readonly number[])))
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  /** Those of these series that notifications name. */
  async namedAmong(seriesIds: readonly number[]): Promise<number[]> {
    const rows = await this.database
      .selectFrom("notice_series")
      .select("series_id")
      .distinct()
      .where(isAmong("series_id", seriesIds))
      .execute();
    return rows.map((row) => row.series_id);
  }

  /** Updates which notifications that name these series are restricted. @returns the users of the changed ones */
  async restrict(seriesIds: readonly number[], restricted: ReadonlySet<number>): Promise<number[]> {
    return this.database.transaction().execute(async (transaction) => {
      const rows = await transaction
        .selectFrom("notice")
        .innerJoin("notice_series", "notice_series.notice_id", "notice.id")
        .select(["notice.id", "notice.user_id", "notice.restricted", "notice_series.series_id"])
        .where(isAmong("notice_series.series_id", seriesIds))
        .execute();
      const changed = new Map<number, { userId: number; restricted: 0 | 1 }>();
      for (const row of rows) {
        const known = changed.get(row.id)?.restricted ?? 0;
        changed.set(row.id, { userId: row.user_id, restricted: restricted.has(row.series_id) ? 1 : known });
      }
      const before = new Map(rows.map((row) => [row.id, row.restricted]));
      const users = new Set<number>();
      for (const flag of [0, 1] as const) {
        const ids = [...changed].filter(([id, next]) => next.restricted === flag && before.get(id) !== flag);
        for (const [, { userId }] of ids) users.add(userId);
        await transaction
          .updateTable("notice")
          .set({ restricted: flag })
          .where(
            isAmong(
              "id",
              ids.map(([id]) => id),
            ),
          )
          .execute();
      }
      return [...users];
    });
  }

  /** @param moment - milliseconds since 1970. @returns how many were deleted */
  async forgetBefore(moment: number): Promise<number> {
    const { numDeletedRows } = await this.database
      .deleteFrom("notice")
      .where("at", "<", moment)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
