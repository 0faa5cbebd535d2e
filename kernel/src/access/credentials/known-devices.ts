import type { Logger } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { digest } from "./secrets.js";
import type { AccessTables } from "../tables.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";
import { AccessLog } from "../access-tokens.js";

const day = 24 * 60 * 60 * 1000;
/** How long a device counts as known after it was last used to sign in. */
export const knownDays = 180;
const mostOfOne = 50;

/** The devices on which a user has signed in before: digests of addresses and of tokens in cookies. */
@injectable()
export class KnownDevices {
  readonly #database: Kysely<AccessTables>;
  readonly #log: Logger;

  constructor(@inject(AccessDatabase) database: Kysely<AccessTables>, @inject(AccessLog) log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /** @returns the first of these that has signed in under the name; the same work for every name */
  async find(nameHash: string, devices: readonly string[]): Promise<string | undefined> {
    const hashes = new Map(devices.map((device) => [digest(device), device]));
    const rows = await this.#database
      .selectFrom("known_device")
      .select("device_hash")
      .where("name_hash", "=", nameHash)
      .where("device_hash", "in", [...hashes.keys()])
      .where("seen_at", ">", Date.now() - knownDays * day)
      .execute();
    const known = new Set(rows.map((row) => row.device_hash));
    return [...hashes].find(([hash]) => known.has(hash))?.[1];
  }

  async remember(nameHash: string, devices: readonly string[]): Promise<void> {
    const now = Date.now();
    try {
      for (const device of devices)
        await this.#database
          .insertInto("known_device")
          .values({ name_hash: nameHash, device_hash: digest(device), seen_at: now })
          .onConflict((conflict) => conflict.columns(["name_hash", "device_hash"]).doUpdateSet({ seen_at: now }))
          .execute();
      await this.#prune(nameHash, now);
    } catch (thrown) {
      // Signing in goes on while nothing can be written.
      this.#log.warn("A device that signed in could not be remembered.", { error: thrown });
    }
  }

  async #prune(nameHash: string, now: number): Promise<void> {
    await this.#database
      .deleteFrom("known_device")
      .where("seen_at", "<", now - knownDays * day)
      .execute();
    const surplus = await this.#database
      .selectFrom("known_device")
      .select("device_hash")
      .where("name_hash", "=", nameHash)
      .orderBy("seen_at", "desc")
      .offset(mostOfOne)
      .limit(mostOfOne)
      .execute();
    if (surplus.length === 0) return;
    await this.#database
      .deleteFrom("known_device")
      .where("name_hash", "=", nameHash)
      .where(
        "device_hash",
        "in",
        surplus.map((row) => row.device_hash),
      )
      .execute();
  }
}
