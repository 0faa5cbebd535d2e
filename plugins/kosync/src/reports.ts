import type { Kysely, Selectable } from "kysely";
import type { SyncTables } from "./tables.js";

export type Report = Selectable<SyncTables["device_report"]>;

/** Reports that are stored for one user; the oldest ones are deleted first. */
const mostReports = 5000;

/** The last reports of e-readers, by user, document and device. */
export class Reports {
  constructor(private readonly database: Kysely<SyncTables>) {}

  /** Newest first. */
  find(userId: number, document: string): Promise<Report[]> {
    return this.#of(userId)
      .selectAll()
      .where("document", "=", document)
      .orderBy("reported_at", "desc")
      .orderBy("name")
      .execute();
  }

  async keep(report: Report): Promise<void> {
    const { user_id, document, name, ...told } = report;
    await this.database
      .insertInto("device_report")
      .values(report)
      .onConflict((conflict) => conflict.columns(["user_id", "document", "name"]).doUpdateSet(told))
      .execute();
    await this.#deleteOldest(user_id);
  }

  /** The user's e-readers and when each last reported, latest first. */
  async devices(userId: number): Promise<ReadonlyArray<{ readonly name: string; readonly lastAt: number }>> {
    const rows = await this.#of(userId)
      .select(({ fn }) => ["name", fn.max("reported_at").as("lastAt")])
      .groupBy("name")
      .orderBy("lastAt", "desc")
      .limit(20)
      .execute();
    return rows.map(({ name, lastAt }) => ({ name, lastAt: Number(lastAt) }));
  }

  async forget(userId: number): Promise<void> {
    await this.database.deleteFrom("device_report").where("user_id", "=", userId).execute();
  }

  async #deleteOldest(userId: number): Promise<void> {
    const first = await this.#of(userId)
      .select("reported_at")
      .orderBy("reported_at", "desc")
      .offset(mostReports)
      .limit(1)
      .executeTakeFirst();
    if (!first) return;
    await this.database
      .deleteFrom("device_report")
      .where("user_id", "=", userId)
      .where("reported_at", "<=", first.reported_at)
      .execute();
  }

  #of(userId: number) {
    return this.database.selectFrom("device_report").where("user_id", "=", userId);
  }
}
