import type { AuthProvider, CredentialProvider, Logger, PluginSettings } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { AccountNotices } from "./accounts/account-notices.js";
import { Accounts } from "./accounts/accounts.js";
import { ApiKeys } from "./credentials/api-keys.js";
import { Authentication } from "./identifying/authentication.js";
import { ExternalAccounts } from "./accounts/external-accounts.js";
import { Membership } from "./accounts/membership.js";
import { OpenMode } from "./identifying/open-mode.js";
import { OutsideSignIn } from "./identifying/outside-sign-in.js";
import { Passwords } from "./credentials/passwords.js";
import type { PermissionCatalog } from "./accounts/permissions.js";
import { Revocations } from "./identifying/revocations.js";
import { Roles } from "./accounts/roles.js";
import type { ServerSettings } from "./server-settings.js";
import { Standings } from "./accounts/standing.js";
import { UserDirectory } from "./accounts/user-directory.js";
import { Sessions } from "./credentials/sessions.js";
import { SchemeAuthentication } from "./identifying/scheme-authentication.js";
import { SignIn, type Offered } from "./identifying/sign-in.js";
import type { AccessTables } from "./tables.js";
import { FailureCounts } from "./credentials/failure-counts.js";
import { KnownDevices } from "./credentials/known-devices.js";
import { SignInThrottle } from "./credentials/sign-in-throttle.js";
import { Throttle } from "./credentials/throttle.js";
import type { ThrottleLimits } from "./credentials/throttle-limits.js";

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
  limits?: Partial<ThrottleLimits> | undefined;
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
  readonly directory: UserDirectory;
  readonly signInThrottle: SignInThrottle;
  readonly schemes: SchemeAuthentication;
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
  const standings = new Standings(roles);
  accounts.onChanged((changed) => changed.forEach((account, id) => standings.adopt(id, account)));
  const openMode = new OpenMode((await accounts.count()) === 0, parts.setupToken);
  const passwords = new Passwords();
  const throttle = new Throttle(parts.limits);
  const counts = new FailureCounts(database, log);
  await counts.load();
  const signInThrottle = new SignInThrottle(counts, new KnownDevices(database, log), parts.limits);
  const external = new ExternalAccounts(database, accounts, roles, settings);
  const hasOtherWays = () => parts.authProviders.entries().length > 0;
  const signIn = new SignIn({
    accounts,
    passwords,
    external,
    openMode,
    credentialProviders: parts.credentialProviders,
    settings,
    hasOtherWays,
    throttle: signInThrottle,
    log,
  });
  const authentication = new Authentication({ accounts, sessions, keys, standings, openMode, signIn, log });
  const notices = new AccountNotices(database, log);
  const revocations = new Revocations();
  const membership = new Membership({
    accounts,
    sessions,
    keys,
    roles,
    passwords,
    openMode,
    authentication,
    revocations,
    notices,
    settings,
    throttle,
    signInThrottle,
    log,
    changed,
  });
  const outside = new OutsideSignIn({ authProviders: parts.authProviders, external, openMode, throttle, log });
  return {
    accounts,
    sessions,
    keys,
    roles,
    catalog,
    passwords,
    openMode,
    signIn,
    outside,
    external,
    authentication,
    membership,
    notices,
    revocations,
    signInThrottle,
    schemes: new SchemeAuthentication({ authentication, throttle: signInThrottle }),
    directory: new UserDirectory({ accounts, roles, standings, openMode }),
    settings,
  };
}
