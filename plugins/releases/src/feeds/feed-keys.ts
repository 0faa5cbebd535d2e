import { createHash, randomBytes } from "node:crypto";
import type { CredentialScheme } from "@longbox/sdk";
import type { ReleaseDatabase } from "../tables.js";

/** Of a key only this is kept. Keys are random and long, so that a plain hash cannot be turned round. */
const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");

/** The keys that stand in the addresses of feeds: one a user, good for that user's feeds and nothing else. */
export class FeedKeys {
  constructor(private readonly database: ReleaseDatabase) {}

  /** When the user's key was made, in milliseconds since 1970; undefined where there is none. */
  async madeAt(userId: number): Promise<number | undefined> {
    const row = await this.database
      .selectFrom("feed_key")
      .select("made_at")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row?.made_at;
  }

  /** Makes a key, in place of the one before. It is told this once. */
  async make(userId: number): Promise<string> {
    const key = randomBytes(24).toString("base64url");
    const row = { hash: hashOf(key), made_at: Date.now() };
    await this.database
      .insertInto("feed_key")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
    return key;
  }

  /** @returns whether there was one */
  async revoke(userId: number): Promise<boolean> {
    const rows = await this.database
      .deleteFrom("feed_key")
      .where("user_id", "=", userId)
      .returning("user_id")
      .execute();
    return rows.length > 0;
  }

  /** How programs that know nothing but an address say whose feed they want. */
  scheme(): CredentialScheme {
    return {
      id: "releases-feed",
      secretQuery: ["key"],
      identify: async ({ query }) => await this.#ownerOf(query["key"] ?? ""),
    };
  }

  async #ownerOf(key: string): Promise<number | undefined> {
    const row = await this.database
      .selectFrom("feed_key")
      .select("user_id")
      .where("hash", "=", hashOf(key))
      .executeTakeFirst();
    return row?.user_id;
  }
}
