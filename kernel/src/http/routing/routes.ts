import { Conflict, LongboxError, releasable, type Releasable, type Route } from "@longbox/sdk";
import { PermissionCatalog, requireDeclared } from "../../access/accounts/permissions.js";
import { BasePaths, contains, type PathClaims } from "./base-paths.js";
import { Happening } from "../../events/happening.js";
import { ComparedPath } from "./compared-path.js";
import { compileRoute, type CompiledRoute } from "./compiled-route.js";
import type { MountedBefore, MountedRoutes, RouteMounting, RouteOwner } from "./mounting.js";
import { RouteTable } from "./route-table.js";
import { inject, injectable } from "../../injection.js";

/** Another owner has this route already. */
export class RouteTaken extends Conflict {
  constructor(route: Route, owner: string, plugin: string) {
    const name = `${route.method} ${route.path}`;
    super("kernel/route-taken", `The plugin "${plugin}" claims the route ${name}, which belongs to "${owner}".`, {
      route: name,
      owner,
      plugin,
    });
  }
}

type RouteOf = Pick<CompiledRoute, "route" | "owner">;

/** A plugin of another author has a route that would answer for paths of another owner's. */
class RouteOverlaps extends Conflict {
  constructor({ route, owner: plugin }: RouteOf, { route: around, owner }: RouteOf) {
    const name = `${route.method} ${route.path}`;
    super("kernel/route-overlaps", `The route ${name} of "${plugin.id}" lies inside ${around.path} of "${owner.id}".`, {
      route: name,
      owner: owner.id,
      path: around.path,
      plugin: plugin.id,
    });
  }
}

type Mount = readonly CompiledRoute[];

/** A route that is to be mounted, or is. */
type ComparedRoute = Pick<CompiledRoute, "route" | "comparedPath">;

/**
 * The one table from requests to handlers. Every change makes a new snapshot, so a request sees one state throughout.
 */
@injectable()
export class Routes implements RouteMounting {
  readonly #catalog: PermissionCatalog;
  readonly #mounts = new Map<MountedRoutes, Mount>();
  readonly #basePaths = new BasePaths();
  readonly #changed = new Happening<void>();
  #table: RouteTable<CompiledRoute> | undefined;

  constructor(@inject(PermissionCatalog) catalog: PermissionCatalog) {
    this.#catalog = catalog;
  }

  /** It is made when it is asked for: a start mounts the routes of many plugins one after the other. */
  get table(): RouteTable<CompiledRoute> {
    return (this.#table ??= tableOf(this.#mounts.values()));
  }

  /** Everything that can be reached now, in the order of path and method. */
  list(): CompiledRoute[] {
    return [...this.#mounts.values()]
      .flat()
      .sort(
        (one, other) =>
          one.route.path.localeCompare(other.route.path) || one.route.method.localeCompare(other.route.method),
      );
  }

  claim(owner: string, claims: PathClaims): Releasable {
    return this.#basePaths.claim(owner, claims);
  }

  mount(owner: RouteOwner, routes: readonly Route[], before: MountedBefore = {}): MountedRoutes {
    this.verify(owner, routes, before);
    const displaced = this.#displaced(owner, routes, before);
    const mounted: MountedRoutes = { routes, displaced, ...releasable(() => this.#unmount(mounted)) };
    if (before.instead !== undefined) this.#mounts.delete(before.instead);
    this.#mounts.set(
      mounted,
      routes.map((route) => compileRoute(route, owner)),
    );
    this.#tell();
    return mounted;
  }

  verify(owner: RouteOwner, routes: readonly Route[], before: MountedBefore = {}): void {
    for (const route of routes) this.#check(owner, route);
    const compared = routes.map(comparedRoute);
    this.#refuseTaken(owner, compared, before);
    if (owner.isGuest) this.#refuseOverlapping(owner, compared, before);
  }

  /** Tells of every new snapshot. */
  onChange(listener: () => void): Releasable {
    return this.#changed.on(listener);
  }

  #check(owner: RouteOwner, route: Route): void {
    const where = `The route ${route.method} ${route.path} of "${owner.id}"`;
    if (!matchable(route.path)) {
      throw new LongboxError(
        "internal",
        "kernel/route-path",
        `${where} has a path that cannot be matched; a parameter is written as {name}.`,
        {
          path: route.path,
        },
      );
    }
    const inBasePath = owner.basePaths?.some((basePath) => contains(basePath, route.path)) === true;
    if (owner.id !== "kernel" && !route.path.startsWith("/api/") && !inBasePath)
      throw new LongboxError(
        "internal",
        "kernel/route-path",
        `${where} is neither under /api/ nor inside a base path of its manifest.`,
        { path: route.path },
      );
    if (!inBasePath && route.path.endsWith("...}"))
      throw new LongboxError(
        "internal",
        "kernel/route-path",
        `${where} takes all paths, which only a base path allows.`,
        {
          path: route.path,
        },
      );
    requireDeclared(this.#catalog, route.access, where);
  }

  #refuseTaken(owner: RouteOwner, routes: readonly ComparedRoute[], { instead, outranks }: MountedBefore): void {
    const asked = refuseTwice(owner, routes);
    for (const [mounted, mount] of this.#mounts) {
      if (mounted === instead) continue;
      for (const other of mount) {
        const route = outranks?.has(other.owner.id) ? undefined : asked.get(key(other));
        if (route !== undefined) throw new RouteTaken(route, other.owner.id, owner.id);
      }
    }
  }

  /** `/api/things/7` would answer in the place of `/api/things/{id}` of another plugin. */
  #refuseOverlapping(owner: RouteOwner, routes: readonly ComparedRoute[], { outranks }: MountedBefore): void {
    for (const mount of this.#mounts.values())
      for (const other of mount) {
        if (other.owner.id === owner.id || outranks?.has(other.owner.id)) continue;
        const inside = routes.find(({ comparedPath }) => comparedPath.overlaps(other.comparedPath));
        if (inside !== undefined) throw new RouteOverlaps({ route: inside.route, owner }, other);
      }
  }

  /** What the outranked owners could not have mounted after this one. */
  #displaced(owner: RouteOwner, routes: readonly Route[], { outranks }: MountedBefore): Map<string, Conflict> {
    const displaced = new Map<string, Conflict>();
    if (outranks === undefined || outranks.size === 0) return displaced;
    const compared = routes.map(comparedRoute);
    const claimed = new Set(compared.map(key));
    for (const faster of [...this.#mounts.values()].flat().filter((other) => outranks.has(other.owner.id))) {
      const { id, isGuest } = faster.owner;
      const around = isGuest && compared.find(({ comparedPath }) => comparedPath.overlaps(faster.comparedPath));
      if (claimed.has(key(faster))) displaced.set(id, new RouteTaken(faster.route, owner.id, id));
      else if (around) displaced.set(id, new RouteOverlaps(faster, { route: around.route, owner }));
    }
    return displaced;
  }

  #unmount(mounted: MountedRoutes): void {
    if (this.#mounts.delete(mounted)) this.#tell();
  }

  #tell(): void {
    this.#table = undefined;
    this.#changed.tell();
  }
}

/** Which of the two would answer was left to their order. @returns the routes by their keys */
function refuseTwice({ id }: RouteOwner, routes: readonly ComparedRoute[]): Map<string, Route> {
  const seen = new Map<string, Route>();
  for (const compared of routes) {
    const { route } = compared;
    const before = seen.get(key(compared));
    if (before !== undefined) {
      const name = `${route.method} ${route.path}`;
      const also = before.path === route.path ? "" : `, also as ${before.path}`;
      const message = `The plugin "${id}" has the route ${name} twice${also}.`;
      throw new LongboxError("internal", "kernel/route-twice", message, { route: name, plugin: id });
    }
    seen.set(key(compared), route);
  }
  return seen;
}

/** Plain segments, whole parameters, and at most one that takes the rest, at the end. */
function matchable(path: unknown): path is `/${string}` {
  // Nothing checks types when a plugin is packed.
  if (typeof path !== "string") return false;
  const segments = path.split("/").slice(1);
  const plain = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;
  const fits = (segment: string, at: number) =>
    /^\{[A-Za-z][A-Za-z0-9]*\}$/.test(segment) ||
    (/^\{[A-Za-z][A-Za-z0-9]*\.\.\.\}$/.test(segment) && at === segments.length - 1) ||
    plain.test(segment) ||
    // A path with a slash at its end is another one, which a route may take as well.
    (segment === "" && at > 0 && at === segments.length - 1);
  return path === "/" || (path.startsWith("/") && segments.every(fits));
}

function tableOf(mounts: Iterable<Mount>): RouteTable<CompiledRoute> {
  const entryOf = (item: CompiledRoute) => ({ method: item.route.method, path: item.route.path, item });
  return new RouteTable([...mounts].flat().map(entryOf));
}

const comparedRoute = (route: Route): ComparedRoute => ({ route, comparedPath: new ComparedPath(route.path) });
const key = ({ route, comparedPath }: ComparedRoute) => `${route.method} ${comparedPath.shape}`;
