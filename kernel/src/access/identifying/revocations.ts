import type { Releasable } from "@longbox/sdk";
import { Happening } from "../../events/happening.js";
import type { Credential, Grant } from "./grant.js";
import { injectable } from "../../injection.js";

/** What has lost its force: an account's credentials, all of them or some. */
export interface Revocation {
  ends(grant: Grant): boolean;
  /** The rights go on; only what the user sees of them has changed. */
  readonly isOfViewOnly: boolean;
}

/** Tells those that hold a grant for longer than one request, such as an open stream, that it has ended. */
@injectable()
export class Revocations {
  readonly #revoked = new Happening<Revocation>();

  /** @param concerns - Which of the account's credentials end; all when left out */
  announce(accountId: number, concerns: (credential: Credential) => boolean = () => true): void {
    const ends = (grant: Grant) => grant.user.id === accountId && concerns(grant.credential);
    this.#revoked.tell({ ends, isOfViewOnly: false });
  }

  /** The user has chosen to see more or less. */
  announceView(accountId: number): void {
    this.#revoked.tell({ ends: (grant) => grant.user.id === accountId, isOfViewOnly: true });
  }

  onRevoked(listener: (revocation: Revocation) => void): Releasable {
    return this.#revoked.on(listener);
  }
}
