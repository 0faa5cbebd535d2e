import type { Kysely } from "kysely";
import { digest, newSessionToken } from "./secrets.js";
import type { AccessTables } from "../tables.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";

const day = 24 * 60 * 60 * 1000;
/** A session lasts this long after it was last used. */
export const sessionDays = 30;

export interface Session {
  readonly id: number;
  readonly accountId: number;
  readonly seenAt: string;
  readonly expiresAt: string;
}

/** Signed-in browsers. Only digests of their tokens are kept. */
@injectable()
export class Sessions {
  readonly #database: Kysely<AccessTables>;

  constructor(@inject(AccessDatabase) database: Kysely<AccessTables>) {
    this.#database = database;
  }

  /** @returns the token for the cookie: it is nowhere else */
  async begin(accountId: number): Promise<{ token: string }> {
    const token = newSessionToken();
    const now = new Date().toISOString();
    await this.#database.deleteFrom("session").where("expires_at", "<", now).execute();
    await this.#database
      .insertInto("session")
      .values({ account_id: accountId, token_hash: digest(token), created_at: now, seen_at: now, expires_at: expiry() })
      .execute();
    return { token };
  }

  async find(tokenHash: string): Promise<Session | undefined> {
    const row = await this.#database
      .selectFrom("session")
      .selectAll()
      .where("token_hash", "=", tokenHash)
      .executeTakeFirst();
    if (row === undefined || row.expires_at <= new Date().toISOString()) return undefined;
    return { id: row.id, accountId: row.account_id, seenAt: row.seen_at, expiresAt: row.expires_at };
  }

  /** Moves the end of a session on. */
  async extend(id: number): Promise<void> {
    await this.#database
      .updateTable("session")
      .set({ seen_at: new Date().toISOString(), expires_at: expiry() })
      .where("id", "=", id)
      .execute();
  }

  async end(id: number): Promise<void> {
    await this.#database.deleteFrom("session").where("id", "=", id).execute();
  }

  /** @returns how many were ended */
  async endAll(accountId: number, except?: number): Promise<number> {
    const others = this.#database.deleteFrom("session").where("account_id", "=", accountId);
    const { numDeletedRows } = await (
      except === undefined ? others : others.where("id", "!=", except)
    ).executeTakeFirst();
    return Number(numDeletedRows);
  }
}

const expiry = () => new Date(Date.now() + sessionDays * day).toISOString();
