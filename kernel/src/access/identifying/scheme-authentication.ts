import { createHmac, randomBytes } from "node:crypto";
import { LongboxError, within, type CredentialScheme, type PresentedCredentials } from "@longbox/sdk";
import { BadCredentials } from "../access-errors.js";
import { SignInThrottle, type SignInAttempt } from "../credentials/sign-in-throttle.js";
import { Authentication } from "./authentication.js";
import { anonymous, type Grant } from "./grant.js";
import type { SchemeRequest } from "./identifying.js";
import { inject, injectable } from "../../injection.js";

/** What a request brings: a digest of all of it, and what its failure counts for. */
interface Presented {
  readonly digest: string;
  /**
   * The claimed name, or the secret itself where there is none: one for all would let a guesser lock out every client.
   */
  readonly claim: Pick<SignInAttempt, "name" | "isSecret">;
}

/** How long a scheme may take to say whose credentials these are. */
const identifyMs = 10_000;
const mostRemembered = 4096;

/**
 * Turns credentials that a plugin's scheme knows into a grant: the same as every other, so that the permission is
 * checked in the one place. Wrong ones are counted as at sign-in; those that were right lately are not, since a device
 * sends them with many requests at once.
 */
@injectable()
export class SchemeAuthentication {
  readonly #secret = randomBytes(32);
  readonly #right = new Set<string>();
  readonly #underWay = new Map<string, Promise<number | undefined>>();

  constructor(
    @inject(Authentication) private readonly authentication: Authentication,
    @inject(SignInThrottle) private readonly throttle: SignInThrottle,
  ) {}

  /** @throws {BadCredentials} or `kernel/too-many-attempts` */
  async identify(request: SchemeRequest): Promise<Grant> {
    const { scheme, presented } = request;
    const secrets = secretsOf(scheme, presented);
    if (secrets.length === 0) return anonymous;
    const name = (await scheme.claimedName?.(presented)) || presented.basic?.username || undefined;
    const digest = createHmac("sha256", this.#secret)
      .update(JSON.stringify([scheme.id, name, secrets]))
      .digest("base64");
    const claim = { name: `${scheme.id}: ${name ?? secrets.join(" ")}`, isSecret: name === undefined };
    const accountId = await this.#accountOf({ digest, claim }, request);
    const credential = { kind: "scheme", scheme: scheme.id, ambient: presented.basic !== undefined } as const;
    const grant = accountId === undefined ? undefined : await this.authentication.grantOf(accountId, credential);
    if (grant === undefined) throw new BadCredentials("These credentials are wrong, or their account is disabled.");
    return grant;
  }

  /** What several requests bring at the same time is asked, and counted, once. */
  #accountOf(presented: Presented, request: SchemeRequest): Promise<number | undefined> {
    const { digest } = presented;
    const underWay = this.#underWay.get(digest);
    if (underWay !== undefined) return underWay;
    const asked = this.#right.has(digest) ? this.#askAgain(digest, request) : this.#attempt(presented, request);
    const asking = asked.finally(() => this.#underWay.delete(digest));
    this.#underWay.set(digest, asking);
    return asking;
  }

  async #askAgain(digest: string, request: SchemeRequest): Promise<number | undefined> {
    const accountId = await withinTime(request.identify());
    if (accountId === undefined) this.#right.delete(digest);
    return accountId;
  }

  async #attempt({ digest, claim }: Presented, request: SchemeRequest): Promise<number | undefined> {
    const attempt = await this.throttle.attempt({ ...claim, address: request.client.address });
    const accountId = await withinTime(request.identify());
    if (accountId === undefined) return undefined;
    await attempt.succeeded();
    if (this.#right.size >= mostRemembered) this.#right.delete(this.#right.values().next().value!);
    this.#right.add(digest);
    return accountId;
  }
}

/** The secrets that came, each with its place. */
function secretsOf(scheme: CredentialScheme, presented: PresentedCredentials): string[] {
  const headers = (scheme.secretHeaders ?? []).map((name) => [name, presented.header(name)]);
  const parameters = (scheme.secretParameters ?? []).map((name) => [name, presented.params[name]]);
  const query = (scheme.secretQuery ?? []).map((name) => [name, presented.query[name]]);
  const { basic } = presented;
  const came = [...headers, ...parameters, ...query].filter(([, value]) => value !== undefined && value !== "");
  return [...came, ...(basic === undefined ? [] : [["basic", basic.username, basic.password]])].map((secret) =>
    JSON.stringify(secret),
  );
}

const withinTime = <T>(asking: Promise<T>): Promise<T> =>
  within(asking, {
    limitMs: identifyMs,
    failure: () =>
      new LongboxError(
        "unavailable",
        "kernel/credentials-too-slow",
        "The credentials could not be checked in time.",
        undefined,
        { retryAfterSeconds: 5 },
      ),
  });
