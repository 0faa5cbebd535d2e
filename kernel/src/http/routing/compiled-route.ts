import { setMaxListeners } from "node:events";
import type { Route } from "@longbox/sdk";
import { permissionFor } from "../../access/accounts/permissions.js";
import { ComparedPath } from "./compared-path.js";
import type { RouteOwner } from "./mounting.js";
import { parameterNames } from "./route-table.js";
import { RouteTally } from "../kernel-routes/tally.js";

/** A route with everything that can be worked out before the first request. */
export interface CompiledRoute {
  readonly route: Route;
  readonly owner: RouteOwner;
  readonly names: readonly string[];
  readonly comparedPath: ComparedPath;
  /** Open to anyone: no credential is needed. */
  readonly isPublic: boolean;
  /** The permission that the caller's role must have; undefined when being signed in is enough. */
  readonly permission: string | undefined;
  readonly tally: RouteTally;
}

/** Paths ending in `/test` reach out to servers of the caller's choosing, so no declaration can open them wider. */
const testPath = /\/test$/;

export function compileRoute(route: Route, owner: RouteOwner): CompiledRoute {
  // Every answer under way may listen for the end of its owner.
  setMaxListeners(0, owner.signal);
  const access = testPath.test(route.path) ? "settings.manage" : route.access;
  return {
    route,
    owner,
    names: parameterNames(route.path),
    comparedPath: new ComparedPath(route.path),
    isPublic: access === "public",
    permission: permissionFor(access),
    tally: new RouteTally(route.method, route.path),
  };
}
