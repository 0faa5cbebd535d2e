import type { Logger } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { digest } from "./secrets.js";
import type { AccessTables } from "../tables.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";
import { AccessLog } from "../access-tokens.js";

/**
 * What failed attempts are counted by: an account at an address, an address whatever the account, an account whatever
 * the address, or an account at a device that has signed in before.
 */
export type CountKind = "pair" | "address" | "name" | "device";

export interface CountKey {
  readonly kind: CountKind;
  /**
   * The digest of the name, so that a password typed into the wrong field is not kept; empty where it does not count.
   */
  readonly nameHash: string;
  /** A network, or a device's digest; empty where it does not count. */
  readonly place: string;
}

export interface FailureCount extends CountKey {
  readonly id: string;
  readonly failures: number;
  /** Milliseconds since 1970: when all of them are forgotten. */
  readonly expiresAt: number;
}

/** The maximum number of counts, above any normal use; when an attacker exceeds it, the oldest are dropped. */
const mostKept = 20_000;
const droppedAtOnce = 500;

export const countId = (key: CountKey): string =>
  digest(JSON.stringify([key.kind, key.nameHash, key.place])).slice(0, 32);

/** Failed attempts, counted in memory and stored in the database, so that they survive a restart. */
@injectable()
export class FailureCounts {
  readonly #database: Kysely<AccessTables>;
  readonly #log: Logger;
  readonly #counts = new Map<string, FailureCount>();

  constructor(@inject(AccessDatabase) database: Kysely<AccessTables>, @inject(AccessLog) log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /** Reads what an earlier run has counted. */
  async load(): Promise<void> {
    await this.#keep(() => this.#database.deleteFrom("failure_count").where("expires_at", "<=", Date.now()).execute());
    const rows = await this.#database.selectFrom("failure_count").selectAll().orderBy("expires_at").execute();
    for (const { id, kind, name_hash: nameHash, place, failures, expires_at: expiresAt } of rows)
      this.#counts.set(id, { id, kind, nameHash, place, failures, expiresAt: Number(expiresAt) });
  }

  get(key: CountKey): FailureCount | undefined {
    const count = this.#counts.get(countId(key));
    return count !== undefined && count.expiresAt > Date.now() ? count : undefined;
  }

  /**
   * Counts an attempt for each of these, at once, so that attempts made together count too.
   * @returns once it is kept
   */
  add(keys: readonly CountKey[], windowMs: number): Promise<void> {
    return this.#put(
      keys.map(({ kind, nameHash, place }) => {
        const id = countId({ kind, nameHash, place });
        const known = this.get({ kind, nameHash, place });
        const expiresAt = known?.expiresAt ?? Date.now() + windowMs;
        return { id, kind, nameHash, place, failures: (known?.failures ?? 0) + 1, expiresAt };
      }),
    );
  }

  /** Removes an attempt that succeeded or was not made. */
  async takeBack(key: CountKey): Promise<void> {
    const known = this.get(key);
    if (known === undefined) return;
    if (known.failures <= 1) await this.drop(known.id);
    else await this.#put([{ ...known, failures: known.failures - 1 }]);
  }

  /** @returns whether there was such a count */
  async drop(id: string): Promise<boolean> {
    const known = this.#counts.delete(id);
    if (known) await this.#keep(() => this.#database.deleteFrom("failure_count").where("id", "=", id).execute());
    return known;
  }

  list(): FailureCount[] {
    const now = Date.now();
    return [...this.#counts.values()].filter(({ expiresAt }) => expiresAt > now);
  }

  /** In memory at once, and then in the database. */
  async #put(counts: readonly FailureCount[]): Promise<void> {
    const gone = this.#makeRoom();
    for (const count of counts) this.#counts.set(count.id, count);
    const rows = counts.map(({ id, kind, nameHash, place, failures, expiresAt }) => ({
      id,
      kind,
      name_hash: nameHash,
      place,
      failures,
      expires_at: expiresAt,
    }));
    await this.#keep(async () => {
      if (gone.length > 0) await this.#database.deleteFrom("failure_count").where("id", "in", gone).execute();
      await this.#database
        .insertInto("failure_count")
        .values(rows)
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet(({ ref }) => ({
            failures: ref("excluded.failures"),
            expires_at: ref("excluded.expires_at"),
          })),
        )
        .execute();
    });
  }

  /** @returns the ids of the oldest counts, which were dropped */
  #makeRoom(): string[] {
    if (this.#counts.size < mostKept) return [];
    const gone = [...this.#counts.keys()].slice(0, droppedAtOnce);
    for (const id of gone) this.#counts.delete(id);
    return gone;
  }

  /** Users can sign in while the disk cannot be written; attempts are then counted in memory only. */
  async #keep(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (thrown) {
      this.#log.warn("Failed sign-ins could not be written down; they count until the next start.", { error: thrown });
    }
  }
}
