import type { Kysely } from "kysely";
import type { KoboTables } from "../tables.js";

/**
 * What is synchronised until the user chooses: the read-later shelf, so that a large library does not fill an e-reader.
 */
const before: readonly string[] = ["later"];
/** Stands for a choice of nothing. */
const nothing = "";

/** The ids of the shelves that each user has chosen, for all of the user's e-readers. */
export class Choices {
  constructor(private readonly database: Kysely<KoboTables>) {}

  async find(userId: number): Promise<readonly string[]> {
    const rows = await this.database.selectFrom("choice").select("shelf").where("user_id", "=", userId).execute();
    return rows.length === 0 ? before : rows.map(({ shelf }) => shelf).filter((shelf) => shelf !== nothing);
  }

  async replace(userId: number, shelves: readonly string[]): Promise<void> {
    const chosen = shelves.length === 0 ? [nothing] : [...new Set(shelves)];
    await this.database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("choice").where("user_id", "=", userId).execute();
      await transaction
        .insertInto("choice")
        .values(chosen.map((shelf) => ({ user_id: userId, shelf })))
        .execute();
    });
  }

  async handOver({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    await this.replace(to, await this.find(from));
    await this.forgetUser(from);
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.deleteFrom("choice").where("user_id", "=", userId).execute();
  }
}
