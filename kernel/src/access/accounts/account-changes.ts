import type { Releasable } from "@longbox/sdk";
import type { Kysely, Transaction } from "kysely";
import { Happening } from "../../events/happening.js";
import type { AccessTables } from "../tables.js";
import type { Account } from "./account.js";

/** The changed accounts by id; undefined for deleted ones. */
export type ChangedAccounts = ReadonlyMap<number, Account | undefined>;

/** Publishes changes of accounts after the transaction is committed and before its caller continues. */
export class AccountChanges {
  readonly #read: (ids: readonly number[]) => Promise<Account[]>;
  readonly #changed = new Happening<ChangedAccounts>();
  /** The accounts that each open transaction has changed. */
  readonly #touched = new WeakMap<object, Set<number>>();
  #told: Promise<void> = Promise.resolve();

  /** @param read - Reads accounts as they are in the database */
  constructor(read: (ids: readonly number[]) => Promise<Account[]>) {
    this.#read = read;
  }

  on(listener: (changed: ChangedAccounts) => void): Releasable {
    return this.#changed.on(listener);
  }

  async transaction<T>(
    database: Kysely<AccessTables>,
    work: (database: Transaction<AccessTables>) => Promise<T>,
  ): Promise<T> {
    const touched = new Set<number>();
    const result = await database.transaction().execute((transaction) => {
      this.#touched.set(transaction, touched);
      return work(transaction);
    });
    await this.#tell(touched);
    return result;
  }

  /** Notes that an account was written, by a transaction of this class or outside of any. */
  async note(id: number, database: object): Promise<void> {
    const touched = this.#touched.get(database);
    if (touched === undefined) await this.#tell(new Set([id]));
    else touched.add(id);
  }

  /**
   * Changes are published one after the other, each with the state at that time, so that an older state never follows a
   * newer one.
   */
  async #tell(ids: ReadonlySet<number>): Promise<void> {
    if (ids.size === 0) return;
    const telling = this.#told.then(async () => {
      const accounts = new Map((await this.#read([...ids])).map((account) => [account.id, account]));
      this.#changed.tell(new Map([...ids].map((id) => [id, accounts.get(id)])));
    });
    // The caller gets the failure; those who only wait for the end must not.
    this.#told = telling.catch(() => undefined);
    await telling;
  }
}
