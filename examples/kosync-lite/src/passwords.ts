import { hash, randomInt } from "node:crypto";
import type { CredentialScheme, KernelUsers } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { SyncTables } from "./tables.js";

/** Letters and digits that are not taken for one another on the keyboard of an e-reader. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/**
 * The passwords of e-readers. A device sends the MD5 of its password and never the password, which an account's own
 * could not be compared with; so each user gets one for e-readers alone. It is random (79 bits), so a plain hash
 * protects it.
 */
export class Passwords {
  constructor(
    private readonly database: Kysely<SyncTables>,
    private readonly users: KernelUsers,
  ) {}

  /** Replaces the user's password. @returns the new one, which is not kept */
  async make(userId: number): Promise<string> {
    const password = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join("");
    const row = { key_hash: kept(hash("md5", password)), made_at: Date.now() };
    await this.database
      .insertInto("password")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
    return password;
  }

  async madeAt(userId: number): Promise<number | undefined> {
    const query = this.database.selectFrom("password").select("made_at").where("user_id", "=", userId);
    return (await query.executeTakeFirst())?.made_at;
  }

  async remove(userId: number): Promise<void> {
    await this.database.deleteFrom("password").where("user_id", "=", userId).execute();
  }

  /**
   * How requests of e-readers prove who they are: the kernel asks before it reads the body, and slows down guessing.
   */
  readonly scheme: CredentialScheme = {
    id: "kosync-lite",
    secretHeaders: ["x-auth-key"],
    claimedName: ({ header }) => header("x-auth-user"),
    identify: async ({ header }) => {
      const key = kept(header("x-auth-key")?.toLowerCase() ?? "");
      const query = this.database.selectFrom("password").select("user_id").where("key_hash", "=", key);
      const found = await query.executeTakeFirst();
      const user = found && (await this.users.find(found.user_id));
      return user?.username.toLowerCase() === header("x-auth-user")?.toLowerCase() ? user?.id : undefined;
    },
  };
}

const kept = (key: string): string => hash("sha256", key);
