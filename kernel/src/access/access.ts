import type { AuthProvider, CredentialProvider, Logger, PluginSettings } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { AccountNotices } from "./account-notices.js";
import { Accounts } from "./accounts.js";
import { ApiKeys } from "./api-keys.js";
import { Authentication } from "./authentication.js";
import { ExternalAccounts } from "./external-accounts.js";
import { Membership } from "./membership.js";
import { OpenMode } from "./open-mode.js";
import { OutsideSignIn } from "./outside-sign-in.js";
import { Passwords } from "./passwords.js";
import type { PermissionCatalog } from "./permissions.js";
import { Revocations } from "./revocations.js";
import { Roles } from "./roles.js";
import type { ServerSettings } from "./server-settings.js";
import { Sessions } from "./sessions.js";
import { SignIn, type Offered } from "./sign-in.js";
import type { AccessTables } from "./tables.js";
import { Throttle } from "./throttle.js";

export interface AccessParts {
  /** The kernel's own database, migrated with `accessMigrations`. */
  database: Kysely<AccessTables>;
  catalog: PermissionCatalog;
  settings: Pick<PluginSettings<ServerSettings>, "current">;
  authProviders: Offered<AuthProvider>;
  credentialProviders: Offered<CredentialProvider>;
  log: Logger;
  /** Made anew at each start when left out. */
  setupToken?: string | undefined;
  throttle?: Throttle;
  /** Called after accounts or roles have changed. */
  changed?: () => void;
}

/** Who there is, who may do what, and how a request shows who it comes from. */
export interface Access {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly keys: ApiKeys;
  readonly roles: Roles;
  readonly catalog: PermissionCatalog;
  readonly passwords: Passwords;
  readonly openMode: OpenMode;
  readonly signIn: SignIn;
  readonly outside: OutsideSignIn;
  readonly external: ExternalAccounts;
  readonly authentication: Authentication;
  readonly membership: Membership;
  readonly notices: AccountNotices;
  readonly revocations: Revocations;
  readonly settings: Pick<PluginSettings<ServerSettings>, "current">;
}

/** Puts the parts of access together. */
export async function openAccess(parts: AccessParts): Promise<Access> {
  const { database, catalog, settings, log } = parts;
  const accounts = new Accounts(database);
  const sessions = new Sessions(database);
  const keys = new ApiKeys(database);
  const changed = parts.changed ?? (() => {});
  const roles = new Roles(database, catalog, changed);
  await roles.load();
  const openMode = new OpenMode((await accounts.count()) === 0, parts.setupToken);
  const passwords = new Passwords();
  const throttle = parts.throttle ?? new Throttle();
  const external = new ExternalAccounts(database, accounts, roles, settings);
  const hasOtherWays = () => parts.authProviders.entries().length > 0;
  const signIn = new SignIn({ accounts, passwords, external, openMode, credentialProviders: parts.credentialProviders, settings, hasOtherWays, throttle, log });
  const authentication = new Authentication({ accounts, sessions, keys, roles, openMode, signIn, log });
  const notices = new AccountNotices(database, log);
  const revocations = new Revocations();
  const membership = new Membership({ accounts, sessions, keys, roles, passwords, openMode, authentication, revocations, notices, settings, throttle, log, changed });
  const outside = new OutsideSignIn({ authProviders: parts.authProviders, external, openMode, throttle, log });
  return { accounts, sessions, keys, roles, catalog, passwords, openMode, signIn, outside, external, authentication, membership, notices, revocations, settings };
}
