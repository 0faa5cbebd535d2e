import type { User, Viewer } from "@longbox/sdk";
import { Rights } from "./rights.js";

/** How a request proved who it is. Ids are those of the rows behind it, so that a revocation finds what it ends. */
export type Credential =
  | { readonly kind: "session"; readonly id: number }
  | { readonly kind: "key" }
  | { readonly kind: "password" }
  /** The local admin of a server without accounts. */
  | { readonly kind: "local" }
  | { readonly kind: "none" };

/** The policy object of a request: a user, the role's rights, and what narrows the view. */
export class Grant implements Viewer {
  readonly #rights: Rights;
  readonly #hidesMature: boolean;
  /** The same user without the hide-mature preference: what a household's catalog shows. */
  readonly unnarrowed: Grant;

  constructor(readonly user: User, rights: Rights, readonly credential: Credential, hidesMature = false) {
    this.#rights = rights;
    this.#hidesMature = hidesMature;
    this.unnarrowed = hidesMature ? new Grant(user, rights, credential) : this;
  }

  may(permission: string): boolean {
    return this.#rights.has(permission);
  }

  get seesRestricted(): boolean {
    return !this.#hidesMature && this.#rights.has("library.restricted");
  }

  get rights(): Rights {
    return this.#rights;
  }

  get signedIn(): boolean {
    return this.credential.kind !== "none";
  }

  /** Whether a browser sends this credential by itself, so that another site could make it do so. */
  get ambient(): boolean {
    return this.credential.kind === "session" || this.credential.kind === "password" || this.credential.kind === "local";
  }
}

/** Nobody: the viewer of public routes when no credential came. */
export const nobody = new Grant(Object.freeze({ id: -2, username: "", role: "" }), new Rights(new Set()), { kind: "none" });

/** The grant behind a viewer that this kernel made. */
export function grantOf(viewer: Viewer): Grant {
  return viewer instanceof Grant ? viewer : nobody;
}
