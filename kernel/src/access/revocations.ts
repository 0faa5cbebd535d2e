import { releasable, type Releasable } from "@longbox/sdk";
import type { Credential, Grant } from "./grant.js";

/** What has lost its force: an account's credentials, all of them or some. */
export interface Revocation {
  ends(grant: Grant): boolean;
}

/** Tells whoever holds a grant for longer than one request, such as an open stream, that it has ended. */
export class Revocations {
  readonly #listeners = new Set<(revocation: Revocation) => void>();

  /** @param concerns - Which of the account's credentials end; all when left out */
  announce(accountId: number, concerns: (credential: Credential) => boolean = () => true): void {
    const revocation: Revocation = { ends: (grant) => grant.user.id === accountId && concerns(grant.credential) };
    for (const listener of this.#listeners) listener(revocation);
  }

  onRevoked(listener: (revocation: Revocation) => void): Releasable {
    this.#listeners.add(listener);
    return releasable(() => void this.#listeners.delete(listener));
  }
}
