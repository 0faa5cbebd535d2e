import { createHmac, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "@longbox/sdk";
import { BadCredentials } from "../access-errors.js";
import { cannotBeStored } from "../../storage/index.js";
import type { Account } from "../accounts/account.js";
import { Accounts } from "../accounts/accounts.js";
import { ApiKeys } from "../credentials/api-keys.js";
import type { Client } from "./client.js";
import { deviceOf, readCookie, sessionCookie, sessionCookieFor } from "../credentials/cookies.js";
import { GrantCache, type KeptGrant } from "./grant-cache.js";
import { Grant, anonymous, type Credential } from "./grant.js";
import type { Identified, Identifying } from "./identifying.js";
import { OpenMode } from "./open-mode.js";
import { refuseCrossSite } from "./origin.js";
import { Standings } from "../accounts/standing.js";
import { digest } from "../credentials/secrets.js";
import { Sessions } from "../credentials/sessions.js";
import { SignIn, type SignInPlace } from "./sign-in.js";
import { basicOf, type BasicCredentials } from "./basic-credentials.js";
import { inject, injectable } from "../../injection.js";
import { AccessLog } from "../access-tokens.js";

const minute = 60_000;
/**
 * How long a correct password for HTTP Basic is cached, because hashing it for each page of a feed would overload the
 * server.
 */
const basicMs = 10 * minute;
const sessionNoteMs = 60 * minute;

/**
 * Turns the credentials of a request into a grant: a key, HTTP Basic where a route takes it, a session, or open mode.
 */
@injectable()
export class Authentication implements Identifying {
  readonly #cache = new GrantCache();
  readonly #basicSecret = randomBytes(32);
  readonly #notes = new Set<Promise<unknown>>();

  constructor(
    @inject(Accounts) private readonly accounts: Accounts,
    @inject(Sessions) private readonly sessions: Sessions,
    @inject(ApiKeys) private readonly keys: ApiKeys,
    @inject(Standings) private readonly standings: Standings,
    @inject(OpenMode) private readonly openMode: OpenMode,
    @inject(SignIn) private readonly signIn: SignIn,
    @inject(AccessLog) private readonly log: Logger,
  ) {}

  identify(headers: IncomingHttpHeaders, client: Client, acceptsBasic: boolean): Identified | Promise<Identified> {
    const key = keyOf(headers);
    if (key !== undefined) return this.#byKey(key);
    const basic = acceptsBasic ? basicOf(headers.authorization) : undefined;
    if (basic !== undefined) return this.#byBasic(basic, { address: client.address, device: deviceOf(headers.cookie) });
    const token = readCookie(headers.cookie, sessionCookie);
    if (token !== undefined) return this.#bySession(token, headers, client);
    return { grant: this.openMode.grant(client, headers) ?? anonymous };
  }

  refuseCrossSite(headers: IncomingHttpHeaders, client: Client, grant: Grant): void {
    refuseCrossSite(headers, client, grant);
  }

  /** Clears the cache. Must be called after every change of credentials or accounts. */
  forget(): void {
    this.#cache.forget();
  }

  /** Resolves when every use of a credential has been stored. */
  async settle(): Promise<void> {
    await Promise.all(this.#notes);
  }

  #byKey(key: string): Identified | Promise<Identified> {
    const hash = digest(key);
    const kept = this.#cache.get(hash);
    if (kept !== undefined) return this.#used(kept);
    return this.#cache
      .fetch(hash, () => this.#findKey(hash))
      .then((found) => {
        if (found === undefined) throw new BadCredentials("The API key is wrong, or was revoked.");
        return this.#used(found);
      });
  }

  async #findKey(hash: string): Promise<KeptGrant | undefined> {
    const accountId = await this.keys.owner(hash);
    return accountId === undefined ? undefined : this.#keep(accountId, { kind: "key" }, { expiresAt: Infinity });
  }

  async #byBasic({ username, password }: BasicCredentials, place: SignInPlace): Promise<Identified> {
    // A key says whose it is: apps ask for a name as well, and people write there what they like.
    if (password.startsWith("lbx_")) return await this.#byKey(password);
    const hash = createHmac("sha256", this.#basicSecret).update(`${username}\0${password}`).digest("base64");
    const known = this.signIn.acceptsPasswords ? this.#cache.get(hash) : undefined;
    const kept = known ?? (await this.#cache.fetch(hash, () => this.#findPassword(username, password, place)));
    if (kept === undefined) throw new BadCredentials();
    return this.#used(kept);
  }

  async #findPassword(username: string, password: string, place: SignInPlace): Promise<KeptGrant | undefined> {
    const account = await this.signIn.check(username, password, place);
    return this.#keep(account.id, { kind: "password" }, { expiresAt: Date.now() + basicMs });
  }

  /** An expired session is not an error: the browser is simply no longer signed in. */
  #bySession(token: string, headers: IncomingHttpHeaders, client: Client): Identified | Promise<Identified> {
    const hash = digest(token);
    const kept = this.#cache.get(hash);
    if (kept !== undefined && Date.now() - kept.notedAt < sessionNoteMs) return { grant: kept.grant };
    return this.#cache
      .fetch(hash, () => this.#findSession(hash))
      .then(async (found) => {
        if (found === undefined) return { grant: this.openMode.grant(client, headers) ?? anonymous };
        if (Date.now() - found.notedAt < sessionNoteMs) return { grant: found.grant };
        return this.#extend(found, token, client);
      });
  }

  async #findSession(hash: string): Promise<KeptGrant | undefined> {
    const session = await this.sessions.find(hash);
    if (session === undefined) return undefined;
    return this.#keep(
      session.accountId,
      { kind: "session", id: session.id },
      { expiresAt: Date.parse(session.expiresAt), notedAt: Date.parse(session.seenAt) },
    );
  }

  async #extend(kept: KeptGrant, token: string, client: Client): Promise<Identified> {
    const { credential } = kept.grant;
    kept.notedAt = Date.now();
    try {
      if (credential.kind === "session") await this.sessions.extend(credential.id);
      await this.accounts.seen(kept.accountId, new Date().toISOString());
    } catch (fault) {
      // Signed-in people go on reading while nothing can be written.
      if (!cannotBeStored(fault)) throw fault;
      this.log.warn("The last use of a session could not be written down.", { error: fault });
    }
    this.#cache.forget();
    return { grant: kept.grant, cookie: sessionCookieFor(token, client) };
  }

  async #keep(
    accountId: number,
    credential: Credential,
    { expiresAt, notedAt = 0 }: { readonly expiresAt: number; readonly notedAt?: number },
  ): Promise<KeptGrant | undefined> {
    const account = await this.accounts.find(accountId);
    if (account === undefined || !account.active) return undefined;
    return { grant: this.grantFor(account, credential), accountId, expiresAt, notedAt };
  }

  /** The grant of an account that a plugin's scheme has named; undefined when it is disabled or gone. */
  async grantOf(accountId: number, credential: Credential & { kind: "scheme" }): Promise<Grant | undefined> {
    const { openMode } = this;
    if (accountId === 0) return openMode.open ? new Grant(openMode.standing, credential) : undefined;
    const key = `scheme ${credential.scheme} ${credential.ambient} ${accountId}`;
    const kept =
      this.#cache.get(key) ??
      (await this.#cache.fetch(key, () => this.#keep(accountId, credential, { expiresAt: Infinity })));
    return kept && this.#used(kept).grant;
  }

  grantFor(account: Account, credential: Credential): Grant {
    return new Grant(this.standings.of(account), credential);
  }

  /** Writes the use of a key or a password down, at most once a minute and without making the request wait. */
  #used(kept: KeptGrant): Identified {
    if (Date.now() - kept.notedAt >= minute) {
      kept.notedAt = Date.now();
      const at = new Date().toISOString();
      const isKey = kept.grant.credential.kind === "key";
      this.#note(
        Promise.all([this.accounts.seen(kept.accountId, at), isKey ? this.keys.used(kept.accountId, at) : undefined]),
      );
    }
    return { grant: kept.grant };
  }

  #note(writing: Promise<unknown>): void {
    const noted = writing
      .catch((thrown: unknown) =>
        this.log.warn("The last use of a credential could not be written down.", { error: thrown }),
      )
      .finally(() => this.#notes.delete(noted));
    this.#notes.add(noted);
  }
}

/** @throws {BadCredentials} for two keys that differ: at least one of them is wrong, or means another account */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["x-api-key"];
  const bearer = /^Bearer(?:\s+(.*))?$/i.exec(headers.authorization ?? "");
  const token = bearer === null ? undefined : (bearer[1] ?? "").trim();
  if (key !== undefined && token !== undefined && key !== token)
    throw new BadCredentials("Two different API keys were sent.");
  return key === undefined ? token : String(key);
}
