import { inject, injectable, type Parts } from "../injection.js";
import { AccountNotices } from "./accounts/account-notices.js";
import { Accounts } from "./accounts/accounts.js";
import { ExternalAccounts } from "./accounts/external-accounts.js";
import { Membership } from "./accounts/membership.js";
import { PermissionCatalog } from "./accounts/permissions.js";
import { Roles } from "./accounts/roles.js";
import { Standings } from "./accounts/standing.js";
import { UserDirectory } from "./accounts/user-directory.js";
import { ApiKeys } from "./credentials/api-keys.js";
import { FailureCounts } from "./credentials/failure-counts.js";
import { KnownDevices } from "./credentials/known-devices.js";
import { Passwords } from "./credentials/passwords.js";
import { Sessions } from "./credentials/sessions.js";
import { SignInThrottle } from "./credentials/sign-in-throttle.js";
import { Throttle } from "./credentials/throttle.js";
import { Authentication } from "./identifying/authentication.js";
import { OpenMode } from "./identifying/open-mode.js";
import { OutsideSignIn } from "./identifying/outside-sign-in.js";
import { Revocations } from "./identifying/revocations.js";
import { SchemeAuthentication } from "./identifying/scheme-authentication.js";
import { SignIn } from "./identifying/sign-in.js";
import { ServerSettingsSource } from "./server-settings.js";

/** Access control: accounts, their rights, and the authentication of requests. */
@injectable()
export class Access {
  constructor(
    @inject(Accounts) readonly accounts: Accounts,
    @inject(Sessions) readonly sessions: Sessions,
    @inject(ApiKeys) readonly keys: ApiKeys,
    @inject(Roles) readonly roles: Roles,
    @inject(PermissionCatalog) readonly catalog: PermissionCatalog,
    @inject(Passwords) readonly passwords: Passwords,
    @inject(OpenMode) readonly openMode: OpenMode,
    @inject(SignIn) readonly signIn: SignIn,
    @inject(OutsideSignIn) readonly outside: OutsideSignIn,
    @inject(ExternalAccounts) readonly external: ExternalAccounts,
    @inject(Authentication) readonly authentication: Authentication,
    @inject(Membership) readonly membership: Membership,
    @inject(AccountNotices) readonly notices: AccountNotices,
    @inject(Revocations) readonly revocations: Revocations,
    @inject(SignInThrottle) readonly signInThrottle: SignInThrottle,
    @inject(SchemeAuthentication) readonly schemes: SchemeAuthentication,
    @inject(UserDirectory) readonly directory: UserDirectory,
    @inject(ServerSettingsSource) readonly settings: ServerSettingsSource,
    @inject(Standings) standings: Standings,
  ) {
    accounts.onChanged((changed) => changed.forEach((account, id) => standings.adopt(id, account)));
  }
}

export const accessClasses = [
  PermissionCatalog,
  Accounts,
  Sessions,
  ApiKeys,
  Roles,
  Standings,
  Passwords,
  OpenMode,
  Throttle,
  FailureCounts,
  KnownDevices,
  SignInThrottle,
  ExternalAccounts,
  SignIn,
  OutsideSignIn,
  Authentication,
  SchemeAuthentication,
  AccountNotices,
  Revocations,
  Membership,
  UserDirectory,
  Access,
] as const;

/** Loads the state that is kept in memory: roles, failed attempts, and whether there is an account yet. */
export async function openAccess(parts: Parts): Promise<Access> {
  await parts.get(Roles).load();
  await parts.get(FailureCounts).load();
  const access = parts.get(Access);
  if ((await access.accounts.count()) === 0) access.openMode.begin();
  return access;
}
