import { isAmong } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { preferencesSchema, type Preferences } from "../preferences.js";
import type { NotificationTables } from "../tables.js";

/** The notification preferences of users. */
export class PreferenceRecords {
  constructor(private readonly database: Kysely<NotificationTables>) {}

  async get(userId: number): Promise<Preferences> {
    const known = await this.findAll([userId]);
    return known.get(userId) ?? preferencesSchema.parse({});
  }

  /** An entry for each of the users. */
  async findAll(userIds: readonly number[]): Promise<Map<number, Preferences>> {
    const rows = await this.database.selectFrom("preference").selectAll().where(isAmong("user_id", userIds)).execute();
    const found = new Map<number, Preferences>(userIds.map((id) => [id, preferencesSchema.parse({})]));
    for (const row of rows) found.set(row.user_id, preferencesSchema.parse(JSON.parse(row.preferences)));
    return found;
  }

  async put(userId: number, preferences: Preferences): Promise<void> {
    const text = JSON.stringify(preferences);
    await this.database
      .insertInto("preference")
      .values({ user_id: userId, preferences: text })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ preferences: text }))
      .execute();
  }
}
