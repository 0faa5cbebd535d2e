import { Conflict, LongboxError, type Logger } from "@longbox/sdk";
import type { Transaction } from "kysely";
import { BeyondOwnRights, NeedsRealAccount, NeedsSession, OwnAccount, UnknownRole } from "../access-errors.js";
import { AccountNotices } from "./account-notices.js";
import type { Account } from "./account.js";
import { type AccountChange, Accounts } from "./accounts.js";
import { ApiKeys } from "../credentials/api-keys.js";
import { Authentication } from "../identifying/authentication.js";
import type { Client } from "../identifying/client.js";
import type { Grant } from "../identifying/grant.js";
import { localUser, OpenMode } from "../identifying/open-mode.js";
import { Passwords } from "../credentials/passwords.js";
import { Revocations } from "../identifying/revocations.js";
import { Roles } from "./roles.js";
import { Sessions } from "../credentials/sessions.js";
import type { AccessTables } from "../tables.js";
import { SignInThrottle } from "../credentials/sign-in-throttle.js";
import { Throttle } from "../credentials/throttle.js";
import { inject, injectable } from "../../injection.js";
import { AccessLog, AccountsChanged } from "../access-tokens.js";
import { ServerSettingsSource } from "../server-settings.js";

export interface AccountRequest {
  username: string;
  password: string;
  role?: string | undefined;
  email?: string | undefined;
}

export interface AccountEdit {
  role?: string | undefined;
  active?: boolean | undefined;
  password?: string | undefined;
  email?: string | null | undefined;
}

/** The rules for creating, changing and deleting accounts. */
@injectable()
export class Membership {
  constructor(
    @inject(Accounts) private readonly accounts: Accounts,
    @inject(Sessions) private readonly sessions: Sessions,
    @inject(ApiKeys) private readonly keys: ApiKeys,
    @inject(Roles) private readonly roles: Roles,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(OpenMode) private readonly openMode: OpenMode,
    @inject(Authentication) private readonly authentication: Authentication,
    @inject(Revocations) private readonly revocations: Revocations,
    @inject(AccountNotices) private readonly notices: AccountNotices,
    @inject(ServerSettingsSource) private readonly settings: ServerSettingsSource,
    @inject(Throttle) private readonly throttle: Throttle,
    @inject(SignInThrottle) private readonly signInThrottle: SignInThrottle,
    @inject(AccessLog) private readonly log: Logger,
    @inject(AccountsChanged) private readonly changed: () => void,
  ) {}

  /**
   * Makes an account for the sender: the first admin in open mode, a viewer where registration is open.
   * @throws {LongboxError} `kernel/setup-token-needed`, `kernel/registration-closed`, `kernel/too-many-attempts`,
   *   `kernel/username-taken`
   */
  async register(by: Grant, client: Client, wanted: AccountRequest): Promise<Account> {
    const { openMode, settings, throttle } = this;
    if (openMode.open) {
      if (by.credential.kind !== "local")
        throw new LongboxError(
          "forbidden",
          "kernel/setup-token-needed",
          "This server has no account yet. Create the first one on the machine itself, or with the setup token that the server printed at its start.",
        );
    } else if (!settings.current.registration) {
      throw new LongboxError(
        "forbidden",
        "kernel/registration-closed",
        "Registration is disabled on this server; ask its administrator.",
      );
    } else {
      await throttle.registration(client.address);
    }
    return this.#add(by, { username: wanted.username, password: wanted.password, role: "viewer", email: wanted.email });
  }

  /** Makes an account for another person. @throws {BeyondOwnRights} for a role with more rights than the viewer */
  async create(by: Grant, wanted: AccountRequest): Promise<Account> {
    const role = wanted.role ?? "viewer";
    this.#requireRole(by, role);
    return this.#add(by, { ...wanted, role });
  }

  /** @throws {OwnAccount}, {@link LastAdmin} or {@link BeyondOwnRights} */
  async change(by: Grant, id: number, edit: AccountEdit): Promise<Account> {
    const { accounts, roles, passwords } = this;
    const target = await accounts.get(id);
    if (id === by.user.id) {
      if (edit.active === false) throw new OwnAccount("switch off");
      if (edit.role !== undefined && edit.role !== target.role) throw new OwnAccount("change the role of");
    }
    this.#requireCovered(by, target.role);
    if (edit.role !== undefined && edit.role !== target.role) this.#requireRole(by, edit.role);
    const passwordHash = edit.password === undefined ? undefined : await passwords.hash(edit.password);
    const change: AccountChange = { role: edit.role, active: edit.active, email: edit.email, passwordHash };
    await accounts.transaction(async (database) => {
      await accounts.change(id, change, database);
      await accounts.requireActive(roles.holding("users.manage"), database);
    });
    const keepsOwn = id === by.user.id && by.credential.kind === "session" ? by.credential.id : undefined;
    if (edit.active === false || passwordHash !== undefined) await this.sessions.endAll(id, keepsOwn);
    this.#ended(id, (session) => keepsOwn === undefined || session !== keepsOwn);
    return accounts.get(id);
  }

  /** Deletes an account, and waits until every plugin has deleted its data of the account. */
  async remove(by: Grant, id: number): Promise<void> {
    const { accounts, roles, notices } = this;
    const target = await accounts.get(id);
    if (id === by.user.id) throw new OwnAccount("delete");
    this.#requireCovered(by, target.role);
    await accounts.transaction(async (database) => {
      await accounts.remove(id, database);
      await accounts.requireActive(roles.holding("users.manage"), database);
      await notices.write("deleted", id, database);
    });
    this.#ended(id);
    this.changed();
    await notices.deliver();
  }

  /** Changes the user's own password and ends the other sessions. */
  async changePassword(
    own: Grant,
    client: Client,
    { current, next }: { readonly current: string; readonly next: string },
  ): Promise<void> {
    const { accounts, passwords, sessions, signInThrottle } = this;
    const account = await accounts.get(this.realId(own));
    // An open browser must not allow guesses here that sign-in would refuse.
    const attempt = await signInThrottle.attempt({
      name: `change ${account.id}`,
      address: client.address,
      strict: true,
    });
    if (!(await passwords.matches(current, account.passwordHash)))
      throw new LongboxError("forbidden", "kernel/wrong-password", "The current password is wrong.", {
        current: "is wrong",
      });
    await attempt.succeeded();
    await accounts.change(account.id, { passwordHash: await passwords.hash(next) });
    const kept = own.credential.kind === "session" ? own.credential.id : undefined;
    await sessions.endAll(account.id, kept);
    this.#ended(account.id, (session) => session !== undefined && session !== kept);
  }

  /** Changes the user's own profile, without rights. */
  async changeOwn(own: Grant, change: { email?: string | null; hideMature?: boolean }): Promise<void> {
    const id = this.realId(own);
    await this.accounts.change(id, change);
    this.authentication.forget();
    // What an open stream may tell depends on the preference.
    if (change.hideMature !== undefined) this.revocations.announceView(id);
  }

  async replaceKey(own: Grant): Promise<string> {
    const id = this.realId(own);
    const key = await this.keys.replace(id);
    this.#endKey(id);
    return key;
  }

  async revokeKey(own: Grant): Promise<boolean> {
    const id = this.realId(own);
    const revoked = await this.keys.revoke(id);
    this.#endKey(id);
    return revoked;
  }

  /** Ends one session. */
  async signOut(own: Grant): Promise<void> {
    const { credential } = own;
    if (credential.kind !== "session") return;
    await this.sessions.end(credential.id);
    this.#ended(own.user.id, (session) => session === credential.id);
  }

  async signOutOthers(own: Grant): Promise<number> {
    const id = this.realId(own);
    const kept = own.credential.kind === "session" ? own.credential.id : undefined;
    const cleared = await this.sessions.endAll(id, kept);
    this.#ended(id, (session) => session !== undefined && session !== kept);
    return cleared;
  }

  /** @throws {NeedsRealAccount} for the local admin of open mode */
  realId(own: Grant): number {
    if (own.user.id <= 0) throw new NeedsRealAccount();
    return own.user.id;
  }

  /** @throws {NeedsSession} for API keys and passwords sent with a request */
  sessionOwner(own: Grant): number {
    if (own.credential.kind !== "session") throw new NeedsSession();
    return this.realId(own);
  }

  /** The first account becomes the admin, whatever was asked for, and takes over what the local admin owned. */
  async #add(by: Grant, wanted: AccountRequest & { role: string }): Promise<Account> {
    const { accounts, passwords, openMode, notices, log } = this;
    const passwordHash = await passwords.hash(wanted.password);
    const account = await accounts.transaction(async (database) => {
      const isFirst = (await accounts.count(database)) === 0;
      // Several may ask for the first account at once, and the local admin has no rights once it is there.
      if (!isFirst && by.credential.kind === "local")
        throw new Conflict("kernel/already-set-up", "The first account has just been created by another request.");
      const made = await accounts.add(
        { username: wanted.username, role: isFirst ? "admin" : wanted.role, passwordHash, email: wanted.email },
        database,
      );
      if (isFirst) await this.#adopt(made.id, database);
      return made;
    });
    if (openMode.open) {
      openMode.end();
      this.#ended(localUser.id);
      log.info("The first account was made; the server is no longer open.", { account: account.id });
      await notices.deliver();
    }
    this.changed();
    return account;
  }

  #adopt(id: number, database: Transaction<AccessTables>): Promise<void> {
    return this.notices.write("adopted", id, database);
  }

  #requireRole(by: Grant, role: string): void {
    if (!this.roles.has(role)) throw new UnknownRole(role);
    this.#requireCovered(by, role);
  }

  #requireCovered(by: Grant, role: string): void {
    if (!by.rights.covers(this.roles.rights(role))) throw new BeyondOwnRights();
  }

  #endKey(id: number): void {
    this.authentication.forget();
    this.revocations.announce(id, (credential) => credential.kind === "key");
  }

  /** @param concerns - Asked with the session's id, or undefined for a credential that is no session */
  #ended(id: number, concerns: (session: number | undefined) => boolean = () => true): void {
    this.authentication.forget();
    this.revocations.announce(id, (credential) => concerns(credential.kind === "session" ? credential.id : undefined));
  }
}
