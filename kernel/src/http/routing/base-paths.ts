import { Conflict, releasable, type Releasable } from "@longbox/sdk";
import { alikeSpelling } from "./spelling.js";

/** What a plugin wants to have of the paths outside of `/api`. */
export interface PathClaims {
  /** Its base paths: everything below them is its own. */
  readonly basePaths: readonly string[];
  /** Its pages and files in the web interface, which several plugins may share, but no base path may cover. */
  readonly pages: readonly string[];
}

interface Claim {
  readonly owner: string;
  readonly path: string;
  readonly isBase: boolean;
}

/** A base path that another plugin has, or that covers a page. */
export class BasePathTaken extends Conflict {
  constructor(plugin: string, basePath: string, other: { readonly owner: string; readonly path: string }) {
    super(
      "kernel/base-path-taken",
      `The plugin "${plugin}" claims the base path ${basePath}, which overlaps with ${other.path} of "${other.owner}".`,
      { basePath, path: other.path, owner: other.owner, plugin },
    );
  }
}

/** Which plugin has which base path. */
export class BasePaths {
  readonly #claims = new Set<Claim>();

  /** Both versions of one plugin may hold a claim while one takes over from the other. @throws {BasePathTaken} */
  claim(owner: string, { basePaths, pages }: PathClaims): Releasable {
    const claims: Claim[] = [
      ...basePaths.map((path) => ({ owner, path, isBase: true })),
      ...pages.map((path) => ({ owner, path, isBase: false })),
    ];
    for (const claim of claims) this.#check(claim, claims);
    for (const claim of claims) this.#claims.add(claim);
    return releasable(() => claims.forEach((claim) => this.#claims.delete(claim)));
  }

  #check(claim: Claim, own: readonly Claim[]): void {
    const others = [...this.#claims].filter(({ owner }) => owner !== claim.owner);
    for (const other of [...others, ...own.filter((each) => each !== claim)]) {
      if (!claim.isBase && !other.isBase) continue;
      const clash = claim.isBase && other.isBase ? overlap(claim.path, other.path) : covers(...byBase(claim, other));
      if (clash && claim.isBase) throw new BasePathTaken(claim.owner, claim.path, other);
      if (clash) throw new BasePathTaken(other.owner, other.path, claim);
    }
  }
}

const byBase = (one: Claim, other: Claim): [string, string] =>
  one.isBase ? [one.path, other.path] : [other.path, one.path];

const segmentsOf = (path: string) => path.split("/").slice(1);
const isVariable = (segment: string | undefined) => /^[{:]/.test(segment ?? "");

/** Whether a base path is the same as another, or lies inside it. */
export function overlap(one: string, other: string): boolean {
  return covers(one, other) || covers(other, one);
}

/** Whether a path, which may hold parameters, can lie inside a base path. */
export function covers(basePath: string, path: string): boolean {
  const within = segmentsOf(alikeSpelling(path));
  return segmentsOf(alikeSpelling(basePath)).every(
    (segment, at) => at < within.length && (isVariable(segment) || isVariable(within[at]) || segment === within[at]),
  );
}

/** Whether every path of a route lies inside a base path. */
export function contains(basePath: string, routePath: string): boolean {
  const within = segmentsOf(routePath);
  return segmentsOf(basePath).every((segment, at) => {
    const own = within[at];
    if (own === undefined || own.endsWith("...}")) return false;
    return isVariable(segment) || segment === own;
  });
}
