import type { Kysely } from "kysely";
import { digest, newApiKey } from "./secrets.js";
import type { AccessTables } from "../tables.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";

export interface KeyDescription {
  readonly prefix: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | undefined;
}

/** One personal key for each account. Only its digest is stored. */
@injectable()
export class ApiKeys {
  readonly #database: Kysely<AccessTables>;

  constructor(@inject(AccessDatabase) database: Kysely<AccessTables>) {
    this.#database = database;
  }

  async describe(accountId: number): Promise<KeyDescription | undefined> {
    const row = await this.#database
      .selectFrom("api_key")
      .selectAll()
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    return row && { prefix: row.prefix, createdAt: row.created_at, lastUsedAt: row.used_at ?? undefined };
  }

  /** The account whose key this is. */
  async owner(keyHash: string): Promise<number | undefined> {
    return (
      await this.#database.selectFrom("api_key").select("account_id").where("key_hash", "=", keyHash).executeTakeFirst()
    )?.account_id;
  }

  /** Creates the account's key and replaces the previous one. @returns the key, which is not stored */
  async replace(accountId: number): Promise<string> {
    const key = newApiKey();
    const row = { key_hash: digest(key), prefix: key.slice(0, 8), created_at: new Date().toISOString(), used_at: null };
    await this.#database
      .insertInto("api_key")
      .values({ account_id: accountId, ...row })
      .onConflict((conflict) => conflict.column("account_id").doUpdateSet(row))
      .execute();
    return key;
  }

  async revoke(accountId: number): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom("api_key")
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    return Number(numDeletedRows) > 0;
  }

  async used(accountId: number, at: string): Promise<void> {
    await this.#database.updateTable("api_key").set({ used_at: at }).where("account_id", "=", accountId).execute();
  }
}
