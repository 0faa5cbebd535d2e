import { BadInput, LongboxError, NotFound, type AuthProvider, type Logger, type SigningPeer } from "@longbox/sdk";
import type { Account } from "../accounts/account.js";
import type { Client } from "./client.js";
import { ExternalAccounts } from "../accounts/external-accounts.js";
import { OpenMode } from "./open-mode.js";
import { digest, newSessionToken } from "../credentials/secrets.js";
import { Throttle } from "../credentials/throttle.js";
import { inject, injectable } from "../../injection.js";
import { AccessLog, OfferedAuthProviders, type Offered } from "../access-tokens.js";

interface Attempt {
  readonly provider: string;
  readonly state: Record<string, string>;
  readonly returnPath: string;
  /** The account whose owner wants to sign in this way, too. */
  readonly linkTo: number | undefined;
  readonly expiresAt: number;
}

interface Beginning {
  readonly client: Client;
  readonly callbackUrl: string;
  readonly returnPath: string;
  readonly linkTo?: number | undefined;
}

interface Answer {
  readonly callbackUrl: string;
  readonly answerUrl: string;
  readonly peer: SigningPeer;
  /** Whose session the browser has. */
  readonly accountId: number;
}

/** How long a sign-in may take at the provider. */
export const attemptSeconds = 600;
const mostAttempts = 1000;

/** External sign-in by redirect. The state of an attempt stays on the server, bound to the browser by a cookie. */
@injectable()
export class OutsideSignIn {
  readonly #attempts = new Map<string, Attempt>();

  constructor(
    @inject(OfferedAuthProviders) private readonly authProviders: Offered<AuthProvider>,
    @inject(ExternalAccounts) private readonly external: ExternalAccounts,
    @inject(OpenMode) private readonly openMode: OpenMode,
    @inject(Throttle) private readonly throttle: Throttle,
    @inject(AccessLog) private readonly log: Logger,
  ) {}

  providers(): Array<{ id: string; label: string; loginPath: string }> {
    return this.authProviders.entries().map(({ contribution }) => ({
      id: contribution.id,
      label: contribution.label,
      loginPath: `/api/auth/providers/${encodeURIComponent(contribution.id)}/login`,
    }));
  }

  /**
   * @returns where to send the browser, and the ticket that it must bring back
   * @throws {LongboxError} `kernel/too-many-attempts`
   */
  async begin(
    id: string,
    { client, callbackUrl, returnPath, linkTo }: Beginning,
  ): Promise<{ redirectTo: string; ticket: string }> {
    const provider = this.#provider(id);
    if (this.openMode.open)
      throw new LongboxError(
        "forbidden",
        "kernel/setup-first",
        "This server has no account yet; create the first one before signing in through a provider.",
      );
    await this.throttle.outsideSignIn(client.address);
    const { redirectTo, state } = await this.#failing(id, () => provider.begin({ callbackUrl }));
    const ticket = newSessionToken();
    this.#keep(digest(ticket), {
      provider: id,
      state,
      returnPath: localPath(returnPath),
      linkTo,
      expiresAt: Date.now() + attemptSeconds * 1000,
    });
    return { redirectTo, ticket };
  }

  /**
   * Ends an attempt; its ticket is good for one answer. An attempt to link ends in the account that began it, and
   * nowhere else.
   */
  async complete(
    id: string,
    ticket: string | undefined,
    { accountId, ...answer }: Answer,
  ): Promise<{ account: Account; returnPath: string }> {
    const provider = this.#provider(id);
    const key = ticket === undefined ? "" : digest(ticket);
    const attempt = this.#attempts.get(key);
    this.#attempts.delete(key);
    const isElsewhere = attempt?.linkTo !== undefined && attempt.linkTo !== accountId;
    if (attempt === undefined || attempt.provider !== id || attempt.expiresAt < Date.now() || isElsewhere) {
      throw new BadInput(
        "kernel/no-attempt",
        "This sign-in was not started in this browser, or took too long. Start again.",
      );
    }
    const identity = await this.#failing(id, () => provider.complete({ ...answer, state: attempt.state }));
    if (attempt.linkTo !== undefined) await this.external.link(attempt.linkTo, id, identity.subject);
    return { account: await this.external.account(id, identity), returnPath: attempt.returnPath };
  }

  #provider(id: string): AuthProvider {
    const entry = this.authProviders.entries().find(({ contribution }) => contribution.id === id);
    if (entry === undefined)
      throw new NotFound("kernel/no-such-provider", `There is no sign-in provider "${id}".`, { id });
    return entry.contribution;
  }

  async #failing<T>(id: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (thrown) {
      this.log.warn(`Signing in through "${id}" failed.`, { error: thrown });
      throw new LongboxError(
        "not-signed-in",
        "kernel/outside-sign-in-failed",
        "The sign-in failed; the reason is in the server's log.",
        undefined,
        { cause: thrown },
      );
    }
  }

  #keep(key: string, attempt: Attempt): void {
    for (const [old, { expiresAt }] of this.#attempts) {
      if (this.#attempts.size < mostAttempts && expiresAt > Date.now()) break;
      this.#attempts.delete(old);
    }
    this.#attempts.set(key, attempt);
  }
}

/** Only a path on this server, as a header can hold it: a link must not send people elsewhere by way of us. */
function localPath(path: string): string {
  if (!/^\/(?![/\\])[^\u0000-\u001f\\]*$/.test(path)) return "/";
  return path.toWellFormed().replace(/[^\u0021-\u007e]/gu, encodeURIComponent);
}
