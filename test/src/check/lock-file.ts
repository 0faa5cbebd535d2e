import { readFile } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import type { Check } from "./check.js";

interface LockEntry {
  readonly version?: string;
  /** A workspace, which has no version here. */
  readonly link?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

/**
 * `npm ci` accepts the lock file: it holds every optional package that another one names (npm leaves out those that a
 * registry lacks, npm/cli#9846, and then refuses its own work), says of each workspace what its package.json says, and
 * holds what that asks for in versions that fit.
 */
export const lockFileCheck: Check = {
  name: "lock file",
  async find(root) {
    const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, LockEntry>;
    };
    const missing = Object.entries(packages).flatMap(([path, entry]) =>
      Object.entries(entry.optionalDependencies ?? {})
        .filter(([name]) => placed(packages, path, name) === undefined)
        .map(
          ([name, version]) =>
            `package-lock.json has no entry for ${name}@${version}, which ${path} may use; "npm ci" will refuse it.`,
        ),
    );
    const workspaces = Object.keys(packages).filter((path) => path !== "" && !path.includes("node_modules/"));
    const stale = await Promise.all(workspaces.map((path) => staleEntry(root, path, packages[path] ?? {})));
    const unfit = workspaces.flatMap((path) => unfitEntries(packages, path));
    return [...missing, ...stale.flat(), ...unfit];
  },
};

/** The package that Node finds by a name from a place. */
function placed(packages: Record<string, LockEntry>, from: string, name: string): LockEntry | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    const entry = packages[`${base ? `${base}/` : ""}node_modules/${name}`];
    if (entry !== undefined || base === "") return entry;
    if (!base.includes("/node_modules/")) return packages[`node_modules/${name}`];
  }
}

function unfitEntries(packages: Record<string, LockEntry>, path: string): string[] {
  const { dependencies, devDependencies } = packages[path] ?? {};
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name, range]) => !fits(placed(packages, path, name), range))
    .map(([name, range]) => `package-lock.json has no ${name} ${range} for ${path}; run "npm install".`);
}

function fits(entry: LockEntry | undefined, range: string): boolean {
  if (entry === undefined || entry.link) return entry !== undefined;
  return semver.validRange(range) === null || semver.satisfies(entry.version ?? "", range);
}

async function staleEntry(root: string, path: string, entry: LockEntry): Promise<string[]> {
  const text = await readFile(join(root, path, "package.json"), "utf8").catch(() => undefined);
  if (text === undefined) return [`package-lock.json has the workspace ${path}, which is gone.`];
  const manifest = JSON.parse(text) as LockEntry;
  const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;
  return kinds
    .filter((kind) => sorted(manifest[kind]) !== sorted(entry[kind]))
    .map((kind) => `package-lock.json disagrees with ${path}/package.json about ${kind}; run "npm install".`);
}

function sorted(versions: Record<string, string> = {}): string {
  return JSON.stringify(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
}
