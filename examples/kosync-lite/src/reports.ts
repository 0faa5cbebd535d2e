import type { Kysely, Selectable } from "kysely";
import type { SyncTables } from "./tables.js";

export type Report = Selectable<SyncTables["report"]>;

/** Documents that are remembered for one user; those that were told of least recently go first. */
const mostDocuments = 5000;

/** What e-readers told last, by user and document. */
export class Reports {
  constructor(private readonly database: Kysely<SyncTables>) {}

  find(userId: number, document: string): Promise<Report | undefined> {
    return this.#of(userId).selectAll().where("document", "=", document).executeTakeFirst();
  }

  async keep(report: Report): Promise<void> {
    const { user_id, document, ...told } = report;
    await this.database
      .insertInto("report")
      .values(report)
      .onConflict((conflict) => conflict.columns(["user_id", "document"]).doUpdateSet(told))
      .execute();
    const first = await this.#of(user_id)
      .select("reported_at")
      .orderBy("reported_at", "desc")
      .offset(mostDocuments)
      .limit(1)
      .executeTakeFirst();
    if (!first) return;
    await this.database
      .deleteFrom("report")
      .where("user_id", "=", user_id)
      .where("reported_at", "<=", first.reported_at)
      .execute();
  }

  async forget(userId: number): Promise<void> {
    await this.database.deleteFrom("report").where("user_id", "=", userId).execute();
  }

  #of(userId: number) {
    return this.database.selectFrom("report").where("user_id", "=", userId);
  }
}
