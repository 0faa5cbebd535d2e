import {
  LongboxError,
  type AuthProvider,
  type CredentialProvider,
  type ExternalIdentity,
  type Logger,
} from "@longbox/sdk";
import { BadCredentials } from "../access-errors.js";
import type { Account } from "../accounts/account.js";
import { usernameKey, Accounts } from "../accounts/accounts.js";
import { ExternalAccounts } from "../accounts/external-accounts.js";
import { OpenMode } from "./open-mode.js";
import { Passwords } from "../credentials/passwords.js";
import { SignInThrottle } from "../credentials/sign-in-throttle.js";
import { inject, injectable } from "../../injection.js";
import { AccessLog, OfferedAuthProviders, OfferedCredentialProviders, type Offered } from "../access-tokens.js";
import { ServerSettingsSource } from "../server-settings.js";

/** From where a sign-in comes. */
export interface SignInPlace {
  readonly address: string;
  /** The token that this browser was given when it signed in before. */
  readonly device?: string | undefined;
}

/** Checks names and passwords: the same path for known and unknown names, throttled after failures. */
@injectable()
export class SignIn {
  constructor(
    @inject(Accounts) private readonly accounts: Accounts,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(ExternalAccounts) private readonly external: ExternalAccounts,
    @inject(OpenMode) private readonly openMode: OpenMode,
    @inject(OfferedCredentialProviders) private readonly credentialProviders: Offered<CredentialProvider>,
    @inject(OfferedAuthProviders) private readonly authProviders: Offered<AuthProvider>,
    @inject(ServerSettingsSource) private readonly settings: ServerSettingsSource,
    @inject(SignInThrottle) private readonly throttle: SignInThrottle,
    @inject(AccessLog) private readonly log: Logger,
  ) {}

  /** Without another way to sign in, passwords cannot be switched off. */
  get acceptsPasswords(): boolean {
    return this.settings.current.passwordLogin || this.authProviders.entries().length === 0;
  }

  /**
   * @throws {BadCredentials} also for a disabled account
   * @throws {LongboxError} `kernel/too-many-attempts`, or `kernel/password-login-off`
   */
  async check(username: string, password: string, place: SignInPlace): Promise<Account> {
    if (!this.acceptsPasswords)
      throw new LongboxError("forbidden", "kernel/password-login-off", "Signing in with a password is disabled.");
    const attempt = await this.throttle.attempt({ name: usernameKey(username), ...place });
    const account = (await this.#own(username, password)) ?? (await this.#elsewhere(username, password));
    if (account === undefined || !account.active) {
      // Not the name: people type their password into the wrong field.
      this.log.warn("A sign-in failed.", { address: place.address });
      throw new BadCredentials();
    }
    await attempt.succeeded();
    return account;
  }

  async #own(username: string, password: string): Promise<Account | undefined> {
    const account = await this.accounts.findByName(username);
    return (await this.passwords.matches(password, account?.passwordHash)) ? account : undefined;
  }

  /** Asks the back ends of plugins, in turn. One that fails is passed over, and reported. */
  async #elsewhere(username: string, password: string): Promise<Account | undefined> {
    // The first account is made by the person who sets the server up, not by a directory of names.
    if (this.openMode.open) return undefined;
    for (const { contribution } of this.credentialProviders.entries()) {
      const identity = await this.#ask(contribution, username, password);
      if (identity !== undefined) return this.external.account(contribution.id, identity);
    }
    return undefined;
  }

  async #ask(provider: CredentialProvider, username: string, password: string): Promise<ExternalIdentity | undefined> {
    try {
      return await provider.verify({ username, password });
    } catch (thrown) {
      this.log.warn(`The credential provider "${provider.id}" failed.`, { error: thrown });
      return undefined;
    }
  }
}
