import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "./check.js";

interface LockEntry {
  readonly version?: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

/**
 * `npm ci` accepts the lock file: it holds every optional package that another one names (npm leaves out those that a
 * registry lacks, npm/cli#9846, and then refuses its own work), and says of each workspace what its package.json says.
 */
export const lockFileCheck: Check = {
  name: "lock file",
  async find(root) {
    const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, LockEntry>;
    };
    const missing = Object.entries(packages).flatMap(([path, entry]) =>
      Object.entries(entry.optionalDependencies ?? {})
        .filter(([name]) => !isPlaced(packages, path, name))
        .map(
          ([name, version]) =>
            `package-lock.json has no entry for ${name}@${version}, which ${path} may use; "npm ci" will refuse it.`,
        ),
    );
    const workspaces = Object.keys(packages).filter((path) => path !== "" && !path.includes("node_modules/"));
    const stale = await Promise.all(workspaces.map((path) => staleEntry(root, path, packages[path] ?? {})));
    return [...missing, ...stale.flat()];
  },
};

function isPlaced(packages: Record<string, LockEntry>, from: string, name: string): boolean {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    if (packages[`${base ? `${base}/` : ""}node_modules/${name}`]) return true;
    if (base === "" || !base.includes("/node_modules/")) return packages[`node_modules/${name}`] !== undefined;
  }
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
