/** Who is asking. Id 0 is the local admin of a server that has no account yet. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly role: string;
}

/**
 * The one policy object of a request: who asks, what that user may do, and what that user may know of.
 *
 * Plugins pass it on through contracts, and hide what it does not see: single reads answer 404, lists leave hidden
 * things out before they count and page.
 */
export interface Viewer {
  readonly user: User;
  /** Whether the user's role grants a permission key, such as `library.manage`. */
  may(permission: string): boolean;
  /** Whether what is flagged as restricted exists for this viewer. */
  readonly seesRestricted: boolean;
}

/** For work that no user asked for, such as a scheduled scan: may do everything and sees everything. */
export const systemViewer: Viewer = Object.freeze({
  user: Object.freeze({ id: -1, username: "system", role: "system" }),
  may: () => true,
  seesRestricted: true,
});

/** For what is the same for every user, such as what is restricted: may do nothing and sees nothing restricted. */
export const publicViewer: Viewer = Object.freeze({
  user: Object.freeze({ id: -2, username: "", role: "" }),
  may: () => false,
  seesRestricted: false,
});

/**
 * The same viewer without what is restricted, for what several users see together. It follows the account as the given
 * one does.
 */
export function withoutRestricted(viewer: Viewer): Viewer {
  const given = narrowedFrom(viewer) ?? viewer;
  const narrowed: Viewer = Object.freeze({
    get user() {
      return given.user;
    },
    may: (permission: string) => given.may(permission),
    seesRestricted: false,
  });
  narrowings.set(narrowed, given);
  return narrowed;
}

const narrowings = new WeakMap<object, Viewer>();

/** The viewer from which `withoutRestricted` made this one; undefined for every other. */
export function narrowedFrom(viewer: object): Viewer | undefined {
  return narrowings.get(viewer);
}
