import {
  LongboxError,
  type Contributions,
  type CredentialProvider,
  type ExternalIdentity,
  type Logger,
  type PluginSettings,
} from "@longbox/sdk";
import { BadCredentials } from "../access-errors.js";
import type { Account } from "../accounts/account.js";
import { usernameKey, type Accounts } from "../accounts/accounts.js";
import type { ExternalAccounts } from "../accounts/external-accounts.js";
import type { OpenMode } from "./open-mode.js";
import type { Passwords } from "../credentials/passwords.js";
import type { ServerSettings } from "../server-settings.js";
import type { SignInThrottle } from "../credentials/sign-in-throttle.js";

/** From where a sign-in comes. */
export interface SignInPlace {
  readonly address: string;
  /** The token that this browser was given when it signed in before. */
  readonly device?: string | undefined;
}

/** What others have added to an extension point. */
export type Offered<T> = Pick<Contributions<T>, "entries">;

/** Checks names and passwords: one path for known and unknown names, slowed down after failures. */
export class SignIn {
  constructor(
    private readonly parts: {
      accounts: Accounts;
      passwords: Passwords;
      external: ExternalAccounts;
      openMode: OpenMode;
      credentialProviders: Offered<CredentialProvider>;
      settings: Pick<PluginSettings<ServerSettings>, "current">;
      /** Whether people can sign in elsewhere; without that, passwords cannot be switched off. */
      hasOtherWays: () => boolean;
      throttle: SignInThrottle;
      log: Logger;
    },
  ) {}

  get acceptsPasswords(): boolean {
    return this.parts.settings.current.passwordLogin || !this.parts.hasOtherWays();
  }

  /**
   * @throws {BadCredentials} also for an account that is switched off
   * @throws {LongboxError} `kernel/too-many-attempts`, or `kernel/password-login-off`
   */
  async check(username: string, password: string, place: SignInPlace): Promise<Account> {
    if (!this.acceptsPasswords)
      throw new LongboxError("forbidden", "kernel/password-login-off", "Signing in with a password is switched off.");
    const attempt = await this.parts.throttle.attempt({ name: usernameKey(username), ...place });
    const account = (await this.#own(username, password)) ?? (await this.#elsewhere(username, password));
    if (account === undefined || !account.active) {
      // Not the name: people type their password into the wrong field.
      this.parts.log.warn("A sign-in failed.", { address: place.address });
      throw new BadCredentials();
    }
    await attempt.succeeded();
    return account;
  }

  async #own(username: string, password: string): Promise<Account | undefined> {
    const account = await this.parts.accounts.findByName(username);
    return (await this.parts.passwords.matches(password, account?.passwordHash)) ? account : undefined;
  }

  /** Asks the back ends of plugins, in turn. One that fails is passed over, and reported. */
  async #elsewhere(username: string, password: string): Promise<Account | undefined> {
    // The first account is made by whoever sets the server up, not by a directory of names.
    if (this.parts.openMode.open) return undefined;
    for (const { contribution } of this.parts.credentialProviders.entries()) {
      const identity = await this.#ask(contribution, username, password);
      if (identity !== undefined) return this.parts.external.account(contribution.id, identity);
    }
    return undefined;
  }

  async #ask(provider: CredentialProvider, username: string, password: string): Promise<ExternalIdentity | undefined> {
    try {
      return await provider.verify({ username, password });
    } catch (thrown) {
      this.parts.log.warn(`The credential provider "${provider.id}" failed.`, { error: thrown });
      return undefined;
    }
  }
}
