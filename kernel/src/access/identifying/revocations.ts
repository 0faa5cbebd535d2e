import type { Releasable } from "@longbox/sdk";
import { Happening } from "../../events/happening.js";
import type { Credential, Grant } from "./grant.js";
import { injectable } from "../../injection.js";

/** What has lost its force: an account's credentials, all of them or some. */
export interface Revocation {
  ends(grant: Grant): boolean;
}

/** Tells those that hold a grant for longer than one request, such as an open stream, that it has ended. */
@injectable()
export class Revocations {
  readonly #revoked = new Happening<Revocation>();

  /** @param concerns - Which of the account's credentials end; all when left out */
  announce(accountId: number, concerns: (credential: Credential) => boolean = () => true): void {
    this.#revoked.tell({ ends: (grant) => grant.user.id === accountId && concerns(grant.credential) });
  }

  onRevoked(listener: (revocation: Revocation) => void): Releasable {
    return this.#revoked.on(listener);
  }
}
