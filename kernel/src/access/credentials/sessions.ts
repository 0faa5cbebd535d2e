import type { Kysely } from "kysely";
import { cannotBeStored } from "../../storage/index.js";
import { digest, newSessionToken } from "./secrets.js";
import type { AccessTables } from "../tables.js";
import type { Session } from "./session.js";
import { UnstoredSessions } from "./unstored-sessions.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";

const day = 24 * 60 * 60 * 1000;
/** A session lasts this long after it was last used. */
export const sessionDays = 30;

/**
 * Signed-in browsers. Only digests of their tokens are kept. While nothing can be written, new ones are kept in memory.
 */
@injectable()
export class Sessions {
  readonly #database: Kysely<AccessTables>;
  readonly #unstored = new UnstoredSessions();

  constructor(@inject(AccessDatabase) database: Kysely<AccessTables>) {
    this.#database = database;
  }

  /** How many sessions end with the server, because they could not be stored. */
  get unstored(): number {
    return this.#unstored.count;
  }

  /**
   * @returns the token for the cookie, which is nowhere else; and whether the session is stored, or ends with the
   * server because nothing can be written
   */
  async begin(accountId: number): Promise<{ token: string; isStored: boolean }> {
    const token = newSessionToken();
    const [hash, seenAt, expiresAt] = [digest(token), new Date().toISOString(), expiry()];
    try {
      await this.#database.deleteFrom("session").where("expires_at", "<", seenAt).execute();
      await this.#database
        .insertInto("session")
        .values({ account_id: accountId, token_hash: hash, created_at: seenAt, seen_at: seenAt, expires_at: expiresAt })
        .execute();
      return { token, isStored: true };
    } catch (fault) {
      if (!cannotBeStored(fault)) throw fault;
      this.#unstored.add(hash, { accountId, seenAt, expiresAt });
      return { token, isStored: false };
    }
  }

  async find(tokenHash: string): Promise<Session | undefined> {
    const unstored = this.#unstored.find(tokenHash);
    if (unstored !== undefined) return unstored;
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
    if (this.#unstored.endWhere((session) => session.id === id) > 0) return;
    await this.#database.deleteFrom("session").where("id", "=", id).execute();
  }

  /** @returns how many were ended */
  async endAll(accountId: number, except?: number): Promise<number> {
    const unstored = this.#unstored.endWhere((session) => session.accountId === accountId && session.id !== except);
    const others = this.#database.deleteFrom("session").where("account_id", "=", accountId);
    const { numDeletedRows } = await (
      except === undefined ? others : others.where("id", "!=", except)
    ).executeTakeFirst();
    return Number(numDeletedRows) + unstored;
  }
}

const expiry = () => new Date(Date.now() + sessionDays * day).toISOString();
