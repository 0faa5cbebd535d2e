import { hash, randomInt } from "node:crypto";
import type { CredentialScheme, KernelUsers } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { SyncTables } from "./tables.js";

/** Letters and digits that are not mistaken for one another on the keyboard of an e-reader. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/**
 * Sync passwords. E-readers send the MD5 of a password and never the password, so it cannot be compared with the hash
 * of the account's password. Each user gets a separate password for e-readers. It is random (79 bits), so a plain hash
 * protects it.
 */
export class Passwords {
  constructor(
    private readonly database: Kysely<SyncTables>,
    private readonly users: KernelUsers,
  ) {}

  /** Replaces the user's password. @returns the new one, which is not stored */
  async make(userId: number): Promise<string> {
    const password = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join("");
    const row = { key_hash: stored(hash("md5", password)), made_at: Date.now() };
    await this.database
      .insertInto("sync_password")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
    return password;
  }

  /** @returns milliseconds since 1970, or undefined without a password */
  async madeAt(userId: number): Promise<number | undefined> {
    const query = this.database.selectFrom("sync_password").select("made_at").where("user_id", "=", userId);
    return (await query.executeTakeFirst())?.made_at;
  }

  async revoke(userId: number): Promise<void> {
    await this.database.deleteFrom("sync_password").where("user_id", "=", userId).execute();
  }

  readonly scheme: CredentialScheme = {
    id: "kosync",
    secretHeaders: ["x-auth-key"],
    claimedName: ({ header }) => header("x-auth-user"),
    identify: async ({ header }) => {
      const key = stored(header("x-auth-key")?.toLowerCase() ?? "");
      const query = this.database.selectFrom("sync_password").select("user_id").where("key_hash", "=", key);
      const found = await query.executeTakeFirst();
      const user = found && (await this.users.find(found.user_id));
      return user?.username.toLowerCase() === header("x-auth-user")?.toLowerCase() ? user?.id : undefined;
    },
  };
}

const stored = (key: string): string => hash("sha256", key);
