import type { Conflict, Releasable, Route } from "@longbox/sdk";
import type { PathClaims } from "./base-paths.js";

/** Whose routes these are: the kernel's own, or those of one activation of a plugin. */
export interface RouteOwner {
  /** `kernel`, or the plugin's id. */
  readonly id: string;
  /** The paths outside of /api that its routes may lie in. */
  readonly basePaths?: readonly string[];
  /** A package of another account: none of its routes may answer for a path that a route of another owner matches. */
  readonly isGuest?: boolean;
  /** Aborts when the owner stops; handlers get a signal that follows it. */
  readonly signal: AbortSignal;
  /** While another version takes the owner's place: requests wait for it, and then look for their route again. */
  readonly held?: Promise<void> | undefined;
  /** Runs a handler: counts it as in flight until its answer has been sent, and attributes what it throws later. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** A handler threw something that is no LongboxError: a fault of the owner. */
  reportFault(fault: unknown, where: string): void;
}

/** The mounted routes. */
export interface MountedRoutes extends Releasable {
  readonly routes: readonly Route[];
  /** By its id, each outranked owner that has to be stopped now, with the reason: it holds a route of this owner. */
  readonly displaced: ReadonlyMap<string, Conflict>;
}

/** What is mounted already and does not stand in the way. */
export interface MountedBefore {
  /** Routes that are swapped for the new ones in one step: no request sees both or neither. */
  readonly instead?: MountedRoutes | undefined;
  /** Ids of owners that were faster, although this owner's claims come before theirs. */
  readonly outranks?: ReadonlySet<string> | undefined;
}

/** The one table from requests to handlers: an immutable snapshot, swapped whole. */
export interface RouteMounting {
  /**
   * Reserves base paths for an owner until it is released; `pages` are paths that no base path may cover.
   * @throws {BasePathTaken} `kernel/base-path-taken`, naming both owners
   */
  claim(owner: string, claims: PathClaims): Releasable;
  /**
   * Makes routes reachable.
   * @throws {RouteTaken} `kernel/route-taken`, naming both owners, when another owner has one of them
   * @throws {LongboxError} `kernel/undeclared-permission` when a route asks for a permission that is not declared
   */
  mount(owner: RouteOwner, routes: readonly Route[], before?: MountedBefore): MountedRoutes;
  /** Throws what `mount` would throw, and changes nothing. */
  verify(owner: RouteOwner, routes: readonly Route[], before?: MountedBefore): void;
}
