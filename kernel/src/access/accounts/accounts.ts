import type { Insertable, Kysely, Selectable, Transaction, Updateable } from "kysely";
import type { Releasable } from "@longbox/sdk";
import type { Account } from "./account.js";
import { AccountChanges, type ChangedAccounts } from "./account-changes.js";
import { AccountNotFound, LastAdmin, UsernameTaken } from "../access-errors.js";
import type { AccessTables, AccountTable } from "../tables.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";

export interface NewAccount {
  username: string;
  role: string;
  passwordHash?: string | undefined;
  email?: string | undefined;
}

export interface AccountChange {
  role?: string | undefined;
  active?: boolean | undefined;
  passwordHash?: string | undefined;
  /** Null takes the address away. */
  email?: string | null | undefined;
  hideMature?: boolean | undefined;
  /** Null when it is not known any more. */
  language?: string | null | undefined;
}

type Database = Kysely<AccessTables> | Transaction<AccessTables>;

export const usernameKey = (username: string) => username.normalize("NFKC").toLowerCase();

/** The accounts of the server. */
@injectable()
export class Accounts {
  readonly #database: Kysely<AccessTables>;
  readonly #changes = new AccountChanges((ids) => this.findAll(ids));

  constructor(@inject(AccessDatabase) database: Kysely<AccessTables>) {
    this.#database = database;
  }

  async list(): Promise<Account[]> {
    return (await this.#database.selectFrom("account").selectAll().orderBy("username_key").execute()).map(toAccount);
  }

  async find(id: number, database: Database = this.#database): Promise<Account | undefined> {
    const row = await database.selectFrom("account").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toAccount(row);
  }

  async get(id: number, database: Database = this.#database): Promise<Account> {
    const account = await this.find(id, database);
    if (account === undefined) throw new AccountNotFound(id);
    return account;
  }

  async findByName(username: string, database: Database = this.#database): Promise<Account | undefined> {
    const row = await database
      .selectFrom("account")
      .selectAll()
      .where("username_key", "=", usernameKey(username))
      .executeTakeFirst();
    return row && toAccount(row);
  }

  /** Those that exist, ordered by id. */
  async findAll(ids: readonly number[]): Promise<Account[]> {
    const found: Account[] = [];
    for (const some of batches([...new Set(ids)].sort((one, other) => one - other)))
      found.push(...(await this.#rows().where("id", "in", some).execute()).map(toAccount));
    return found;
  }

  /** Those that have one of these roles, ordered by id. */
  async listOfRoles(roles: readonly string[]): Promise<Account[]> {
    if (roles.length === 0) return [];
    return (
      await this.#rows()
        .where("role", "in", [...roles])
        .execute()
    ).map(toAccount);
  }

  async count(database: Database = this.#database): Promise<number> {
    const { count } = await database
      .selectFrom("account")
      .select((builder) => builder.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async countByRole(): Promise<Map<string, number>> {
    const rows = await this.#database
      .selectFrom("account")
      .select(["role", (builder) => builder.fn.countAll<number>().as("count")])
      .groupBy("role")
      .execute();
    return new Map(rows.map((row) => [row.role, Number(row.count)]));
  }

  /** @throws {UsernameTaken} without regard to case */
  async add(account: NewAccount, database: Database = this.#database): Promise<Account> {
    if ((await this.findByName(account.username, database)) !== undefined) throw new UsernameTaken(account.username);
    const row: Insertable<AccountTable> = {
      username: account.username,
      username_key: usernameKey(account.username),
      email: account.email ?? null,
      password: account.passwordHash ?? null,
      role: account.role,
      active: 1,
      hide_mature: 0,
      created_at: new Date().toISOString(),
      seen_at: null,
      language: null,
    };
    const { id } = await database.insertInto("account").values(row).returning("id").executeTakeFirstOrThrow();
    await this.#changes.note(id, database);
    return this.get(id, database);
  }

  async change(id: number, change: AccountChange, database: Database = this.#database): Promise<void> {
    const row: Updateable<AccountTable> = {};
    if (change.role !== undefined) row.role = change.role;
    if (change.active !== undefined) row.active = change.active ? 1 : 0;
    if (change.passwordHash !== undefined) row.password = change.passwordHash;
    if (change.email !== undefined) row.email = change.email;
    if (change.hideMature !== undefined) row.hide_mature = change.hideMature ? 1 : 0;
    if (change.language !== undefined) row.language = change.language;
    if (Object.keys(row).length === 0) return;
    await database.updateTable("account").set(row).where("id", "=", id).execute();
    await this.#changes.note(id, database);
  }

  async remove(id: number, database: Database = this.#database): Promise<void> {
    await database.deleteFrom("account").where("id", "=", id).execute();
    await this.#changes.note(id, database);
  }

  async seen(id: number, at: string): Promise<void> {
    await this.#database.updateTable("account").set({ seen_at: at }).where("id", "=", id).execute();
  }

  /** @throws {LastAdmin} when there are accounts, but no active one has one of these roles */
  async requireActive(roles: readonly string[], database: Database): Promise<void> {
    if ((await this.count(database)) === 0) return;
    const row = await database
      .selectFrom("account")
      .select("id")
      .where("active", "=", 1)
      .where("role", "in", [...roles])
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) throw new LastAdmin();
  }

  /** Runs changes in one transaction, which is rolled back when an error is thrown. */
  transaction<T>(work: (database: Transaction<AccessTables>) => Promise<T>): Promise<T> {
    return this.#changes.transaction(this.#database, work);
  }

  /** Calls the listener after every change is stored and before the request is answered. */
  onChanged(listener: (changed: ChangedAccounts) => void): Releasable {
    return this.#changes.on(listener);
  }

  #rows() {
    return this.#database.selectFrom("account").selectAll().orderBy("id");
  }
}

/** Databases take only so many values in one statement. */
const mostAtOnce = 500;

function batches(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / mostAtOnce) }, (_, at) =>
    ids.slice(at * mostAtOnce, (at + 1) * mostAtOnce),
  );
}

function toAccount(row: Selectable<AccountTable>): Account {
  return {
    id: row.id,
    username: row.username,
    email: row.email ?? undefined,
    role: row.role,
    active: row.active === 1,
    hideMature: row.hide_mature === 1,
    createdAt: row.created_at,
    lastSeenAt: row.seen_at ?? undefined,
    passwordHash: row.password ?? undefined,
    language: row.language ?? undefined,
  };
}
