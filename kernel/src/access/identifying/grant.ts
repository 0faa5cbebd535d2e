import type { User, Viewer } from "@longbox/sdk";
import { Rights } from "../accounts/rights.js";
import { Standing } from "../accounts/standing.js";

/** The credential of a request. Ids are those of its rows, so that a revocation finds the grants that it ends. */
export type Credential =
  | { readonly kind: "session"; readonly id: number }
  | { readonly kind: "key" }
  | { readonly kind: "password" }
  /** The local admin of a server without accounts. */
  | { readonly kind: "local" }
  /** A plugin's own credentials, such as a device's token. */
  | { readonly kind: "scheme"; readonly scheme: string; readonly ambient: boolean }
  /** No request: work that a plugin does for an account. */
  | { readonly kind: "background" }
  | { readonly kind: "none" };

/** The rights of a request: the account's standing, the credential, and restrictions of the view. */
export class Grant implements Viewer {
  readonly #standing: Standing;
  readonly #narrows: boolean;
  #unnarrowed: Grant | undefined;

  constructor(
    standing: Standing,
    readonly credential: Credential,
    narrows = true,
  ) {
    this.#standing = standing;
    this.#narrows = narrows;
  }

  get user(): User {
    return this.#standing.user;
  }

  get rights(): Rights {
    return this.#standing.rights;
  }

  may(permission: string): boolean {
    return this.#standing.rights.has(permission);
  }

  get seesRestricted(): boolean {
    return this.may("library.restricted") && !(this.#narrows && this.#standing.hidesMature);
  }

  /** The same user without the hide-mature preference: what a household's catalog shows. */
  get unnarrowed(): Grant {
    if (!this.#narrows) return this;
    return (this.#unnarrowed ??= new Grant(this.#standing, this.credential, false));
  }

  get signedIn(): boolean {
    return this.credential.kind !== "none";
  }

  /** Whether a browser sends this credential by itself, so that another site could make it do so. */
  get ambient(): boolean {
    if (this.credential.kind === "scheme") return this.credential.ambient;
    return (
      this.credential.kind === "session" || this.credential.kind === "password" || this.credential.kind === "local"
    );
  }
}

/** The viewer of public routes when no credential came. */
export const anonymous = new Grant(new Standing({ id: -2, username: "", role: "" }, new Rights(new Set())), {
  kind: "none",
});

/** The grant behind a viewer that this kernel made. */
export function grantOf(viewer: Viewer): Grant {
  return viewer instanceof Grant ? viewer : anonymous;
}
