import type { Kysely, Selectable, Transaction } from "kysely";
import type { DeliveryTable, NotificationTables } from "../tables.js";

export type DeliveryRecord = Selectable<DeliveryTable>;

/** Pending messages to addresses. */
export class DeliveryRecords {
  constructor(private readonly database: Kysely<NotificationTables>) {}

  async add(
    transaction: Transaction<NotificationTables>,
    deliveries: ReadonlyArray<{ noticeId: number; addressId: number; dueAt: number }>,
  ): Promise<void> {
    if (deliveries.length === 0) return;
    await transaction
      .insertInto("delivery")
      .values(
        deliveries.map(({ noticeId, addressId, dueAt }) => ({
          notice_id: noticeId,
          address_id: addressId,
          due_at: dueAt,
          attempts: 0,
        })),
      )
      .execute();
  }

  /** Those that are due, the longest waiting first. */
  async due(now: number, limit: number): Promise<DeliveryRecord[]> {
    return this.database
      .selectFrom("delivery")
      .selectAll()
      .where("due_at", "<=", now)
      .orderBy("due_at")
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  /** When the next one is due, in milliseconds since 1970. */
  async nextAt(): Promise<number | undefined> {
    const row = await this.database
      .selectFrom("delivery")
      .select("due_at")
      .orderBy("due_at")
      .limit(1)
      .executeTakeFirst();
    return row?.due_at;
  }

  async postpone(id: number, dueAt: number, attempts: number): Promise<void> {
    await this.database.updateTable("delivery").set({ due_at: dueAt, attempts }).where("id", "=", id).execute();
  }

  async remove(id: number): Promise<void> {
    await this.database.deleteFrom("delivery").where("id", "=", id).execute();
  }
}
