import { cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { isHostSingleton } from "./host-singletons.js";
import type { CopiedDependency } from "./package-json.js";

interface Installed {
  readonly folder: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * Copies dependencies, and what they depend on, into `target/node_modules`. Returns the exact version of each one
 * named.
 */
export async function copyDependencies(
  from: string,
  wanted: readonly CopiedDependency[],
  target: string,
): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const { name, files } of wanted) versions[name] = (await copyOne({ name, files }, from, target)).version;
  return versions;
}

async function copyOne({ name, files }: CopiedDependency, from: string, target: string): Promise<Installed> {
  const installed = await findInstalled(name, from);
  const place = join(target, "node_modules", name);
  if (await exists(place)) {
    const placed = JSON.parse(await readFile(join(place, "package.json"), "utf8")) as { version: string };
    if (placed.version !== installed.version)
      throw new Error(`${name} is needed as ${placed.version} and as ${installed.version}; only one can be copied.`);
    return installed;
  }
  const parts = files === undefined ? ["."] : ["package.json", ...(await licenses(installed.folder)), ...files];
  for (const part of parts) await copyPart(installed.folder, part, place);
  for (const dependency of Object.keys(installed.dependencies)) {
    if (!isHostSingleton(dependency)) await copyOne({ name: dependency, files: undefined }, installed.folder, target);
  }
  return installed;
}

async function copyPart(folder: string, part: string, place: string): Promise<void> {
  const source = join(folder, part);
  await mkdir(dirname(join(place, part)), { recursive: true });
  // Source maps and nested packages are not copied: the former are large and unused, the latter are placed separately.
  await cp(source, join(place, part), {
    recursive: true,
    filter: (path) => !path.endsWith(".map") && !relative(folder, path).split("/").includes("node_modules"),
  });
}

// The licence of a package is always included.
async function licenses(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /licen[cs]e|notice|copying/i.test(name));
}

async function findInstalled(name: string, from: string): Promise<Installed> {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (await exists(join(candidate, "package.json"))) {
      const { version, dependencies = {} } = JSON.parse(await readFile(join(candidate, "package.json"), "utf8")) as {
        version: string;
        dependencies?: Record<string, string>;
      };
      return { folder: candidate, version, dependencies };
    }
    if (folder === dirname(folder)) throw new Error(`${name}, needed by ${from}, is not installed.`);
  }
}

async function exists(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path))) !== undefined;
}
