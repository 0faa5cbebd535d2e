import type { Selectable } from "kysely";
import type { SavedShelfTable, ShelvesDatabase } from "../tables.js";

export type SavedShelf = Selectable<SavedShelfTable>;
export type SavedShelfChange = Partial<Pick<SavedShelf, "name" | "selection" | "sort" | "shared" | "on_home">>;

/** What users keep. */
export class SavedRecords {
  constructor(private readonly database: ShelvesDatabase) {}

  find(id: number): Promise<SavedShelf | undefined> {
    return this.database.selectFrom("saved_shelf").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** A user's own first, then those that others share, each by name. */
  async listFor(userId: number): Promise<SavedShelf[]> {
    const rows = await this.database
      .selectFrom("saved_shelf")
      .selectAll()
      .where((eb) => eb.or([eb("user_id", "=", userId), eb("shared", "=", 1)]))
      .orderBy("name")
      .orderBy("id")
      .execute();
    const isOwn = ({ user_id }: SavedShelf) => user_id === userId;
    return [...rows.filter(isOwn), ...rows.filter((row) => !isOwn(row))];
  }

  async countOf(userId: number): Promise<number> {
    const { count } = await this.database
      .selectFrom("saved_shelf")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async add(shelf: Omit<SavedShelf, "id">): Promise<number> {
    const { id } = await this.database
      .insertInto("saved_shelf")
      .values(shelf)
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  async change(id: number, change: SavedShelfChange): Promise<void> {
    await this.database
      .updateTable("saved_shelf")
      .set({ ...change, changed_at: Date.now() })
      .where("id", "=", id)
      .execute();
  }

  async remove(id: number): Promise<void> {
    await this.database.deleteFrom("saved_shelf").where("id", "=", id).execute();
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.deleteFrom("saved_shelf").where("user_id", "=", userId).execute();
  }

  async handOver(from: number, to: number): Promise<void> {
    await this.database.updateTable("saved_shelf").set({ user_id: to }).where("user_id", "=", from).execute();
  }
}
