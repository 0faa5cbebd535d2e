import { LongboxError, type ExternalIdentity, type Logger } from "@longbox/sdk";
import type { Kysely, Transaction } from "kysely";
import { BadCredentials, IdentityTaken, LastAdmin, OnlySignIn } from "../access-errors.js";
import type { Account } from "./account.js";
import { Accounts } from "./accounts.js";
import { Roles } from "./roles.js";
import type { AccessTables } from "../tables.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";
import { AccessLog } from "../access-tokens.js";
import { ServerSettingsSource } from "../server-settings.js";

/** The accounts of external users. They are identified by the provider's subject, never by name. */
@injectable()
export class ExternalAccounts {
  constructor(
    @inject(AccessDatabase) private readonly database: Kysely<AccessTables>,
    @inject(Accounts) private readonly accounts: Accounts,
    @inject(Roles) private readonly roles: Roles,
    @inject(ServerSettingsSource) private readonly settings: ServerSettingsSource,
    @inject(AccessLog) private readonly log: Logger,
  ) {}

  /**
   * The account behind an identity; a new one at the first visit, if the settings allow it.
   * @throws {LongboxError} `kernel/no-external-accounts`
   */
  async account(provider: string, identity: ExternalIdentity): Promise<Account> {
    const account = await this.accounts.transaction(async (database) => {
      const known = await database
        .selectFrom("identity")
        .select("account_id")
        .where("provider", "=", provider)
        .where("subject", "=", identity.subject)
        .executeTakeFirst();
      return known === undefined
        ? this.#join(provider, identity, database)
        : this.accounts.find(known.account_id, database);
    });
    if (account === undefined || !account.active) throw new BadCredentials("This account is disabled.");
    return identity.roleFollows === true ? this.#withRole(account, identity.role) : account;
  }

  /**
   * Lets the owner of an account sign in by an identity, too.
   * @throws {IdentityTaken} when it belongs to another account
   */
  async link(accountId: number, provider: string, subject: string): Promise<void> {
    await this.accounts.transaction(async (database) => {
      const known = await database
        .selectFrom("identity")
        .select("account_id")
        .where("provider", "=", provider)
        .where("subject", "=", subject)
        .executeTakeFirst();
      if (known !== undefined && known.account_id !== accountId) throw new IdentityTaken();
      if (known === undefined)
        await database.insertInto("identity").values({ provider, subject, account_id: accountId }).execute();
    });
  }

  /** @throws {OnlySignIn} when the account would be left without a way to sign in */
  async unlink(accountId: number, provider: string): Promise<void> {
    await this.accounts.transaction(async (database) => {
      const account = await this.accounts.get(accountId, database);
      const rows = database.selectFrom("identity").select("provider").where("account_id", "=", accountId);
      const others = (await rows.execute()).filter((row) => row.provider !== provider);
      if (account.passwordHash === undefined && others.length === 0) throw new OnlySignIn();
      await database
        .deleteFrom("identity")
        .where("account_id", "=", accountId)
        .where("provider", "=", provider)
        .execute();
    });
  }

  async providersOf(accountId: number): Promise<string[]> {
    const rows = await this.database
      .selectFrom("identity")
      .select("provider")
      .where("account_id", "=", accountId)
      .orderBy("provider")
      .execute();
    return rows.map((row) => row.provider);
  }

  /** The provider decides about the role; only the last administrator of this server stays one. */
  async #withRole(account: Account, role: string | undefined): Promise<Account> {
    if (role === undefined || role === account.role || !this.roles.has(role)) return account;
    try {
      await this.accounts.transaction(async (database) => {
        await this.accounts.change(account.id, { role }, database);
        await this.accounts.requireActive(this.roles.holding("users.manage"), database);
      });
    } catch (fault) {
      if (!(fault instanceof LastAdmin)) throw fault;
      this.log.warn("The provider's role was not given: this is the last account that manages others.", {
        account: account.id,
      });
    }
    return this.accounts.get(account.id);
  }

  async #join(provider: string, identity: ExternalIdentity, database: Transaction<AccessTables>): Promise<Account> {
    const namesake = identity.claimsName === true && (await this.accounts.findByName(identity.username, database));
    if (namesake) {
      const row = { provider, subject: identity.subject, account_id: namesake.id };
      await database.insertInto("identity").values(row).execute();
      return namesake;
    }
    if (!this.settings.current.externalAccounts || identity.createsAccount === false) {
      throw new LongboxError(
        "forbidden",
        "kernel/no-external-accounts",
        "This server creates no accounts for external users; ask its administrator.",
      );
    }
    const role = identity.role !== undefined && this.roles.has(identity.role) ? identity.role : "viewer";
    const username = await this.#freeName(identity.username, database);
    const account = await this.accounts.add({ username, role, email: identity.email }, database);
    await database
      .insertInto("identity")
      .values({ provider, subject: identity.subject, account_id: account.id })
      .execute();
    return account;
  }

  /** The name, or the name with a number when it is taken. An equal name does not mean the same user. */
  async #freeName(wanted: string, database: Transaction<AccessTables>): Promise<string> {
    const plain = wanted
      .replace(/@.*$/, "")
      .replace(/[^\p{L}\p{N}_.-]/gu, "")
      .slice(0, 26)
      .padEnd(2, "_");
    for (let number = 1; ; number++) {
      const name = number === 1 ? plain : `${plain}-${number}`;
      if ((await this.accounts.findByName(name, database)) === undefined) return name;
    }
  }
}
