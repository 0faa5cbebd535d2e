import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { LongboxError } from "@longbox/sdk";
import { pluginPackageSchema, type Manifest, type PluginPackage } from "@longbox/sdk/manifest";
import semver from "semver";
import { PackageRefused } from "./refusals.js";

/** One unpacked plugin package, or a definition that a test brought along. */
export interface PluginOnDisk {
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly manifest: Manifest;
  /** The package's keywords: `longbox-plugin`, and those that say which kind of plugin it is. */
  readonly keywords: readonly string[];
  /** Real path of the package's folder. */
  readonly folder: string;
  /** Names the content: part of every URL that serves it. */
  readonly hash: string;
  /** A folder under development: not from the registry, not in the store. */
  readonly linked: boolean;
  /** Of a linked folder that was built again since the server has started: names the build, in hexadecimal digits. */
  readonly build?: string;
  /** Module that exports the plugin, relative to the folder. */
  readonly entry: string;
}

/** Owners of storage and settings, and words in paths, that no plugin may be called by. */
const reservedIds = new Set([
  "kernel",
  "server",
  "catalog",
  "client",
  "audit",
  "install",
  "introduce",
  "pending",
  "uninstall",
]);

/** Whether this is a valid plugin id. The ids of the kernel's own data are not. */
export function isPluginId(text: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) && text.length <= 64 && !reservedIds.has(text);
}

/** A package.json that does not describe a plugin. `details` names each field. */
export class BadManifest extends LongboxError {
  constructor(where: string, details: Record<string, string>) {
    const named = Object.entries(details)
      .map(([field, problem]) => `${field}: ${problem}`)
      .join("; ");
    super("bad-input", "kernel/bad-manifest", `The manifest of ${where} cannot be used: ${named}`, details);
  }
}

/** Checks the text of a package.json. @throws {BadManifest} */
export function parsePluginPackage(text: string, where: string): PluginPackage {
  const parsed = pluginPackageSchema.safeParse(parseJson(text, where));
  if (parsed.success && reservedIds.has(parsed.data.longbox.id))
    throw new BadManifest(where, { "longbox.id": `"${parsed.data.longbox.id}" is a word of the kernel's own` });
  const unreadable = parsed.success ? unreadableVersions(parsed.data) : {};
  if (Object.keys(unreadable).length > 0) throw new BadManifest(where, unreadable);
  if (parsed.success) return parsed.data;
  throw new BadManifest(
    where,
    Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join(".") || "package.json", issue.message])),
  );
}

/** Fields that look like versions and are none. */
function unreadableVersions({ version, longbox }: PluginPackage): Record<string, string> {
  const versions = {
    version,
    ...Object.fromEntries(
      (["provides", "opens"] as const).flatMap((field) =>
        Object.entries(longbox[field]).map(([id, each]) => [`longbox.${field}.${id}`, each]),
      ),
    ),
  };
  const wrong = Object.entries(versions)
    .filter(([, each]) => semver.valid(each) === null)
    .map(([field, each]) => [field, `"${each}" is not a version, such as 1.0.0`]);
  const isRange = semver.validRange(longbox.sdk) !== null;
  return {
    ...Object.fromEntries(wrong),
    ...(!isRange && { "longbox.sdk": `"${longbox.sdk}" is not a range of versions, such as ^1.0.0` }),
  };
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (fault) {
    const problem = text.startsWith("\uFEFF") ? "it begins with a byte order mark" : (fault as Error).message;
    throw new BadManifest(where, { "package.json": `is not JSON: ${problem}` });
  }
}

/** It is parsed in the kernel's own thread. */
const mostDescriptionBytes = 256 * 1024;

async function readDescription(file: string, where: string): Promise<string> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > mostDescriptionBytes)
    throw new BadManifest(where, { "package.json": `is larger than ${mostDescriptionBytes} bytes` });
  return readFile(file, "utf8").catch(() => {
    throw new BadManifest(where, { "package.json": "cannot be read" });
  });
}

/** Reads the package in a folder without running any of it. @throws {BadManifest} */
export async function readPluginPackage(
  folder: string,
  identity: { hash: string; linked: boolean },
  needs?: { keyword: string },
): Promise<PluginOnDisk> {
  const real = await realpath(folder).catch(() => folder);
  const text = await readDescription(path.join(real, "package.json"), path.basename(folder));
  const description = parsePluginPackage(text, path.basename(folder));
  if (needs && !description.keywords.includes(needs.keyword))
    throw new PackageRefused(
      "kernel/not-a-plugin",
      `"${description.name}" does not carry the keyword ${needs.keyword}.`,
    );
  return {
    id: description.longbox.id,
    package: description.name,
    version: description.version,
    manifest: description.longbox,
    keywords: description.keywords,
    folder: real,
    entry: entryOf(description, path.basename(folder)),
    ...identity,
  };
}

/** The module behind `exports["."]` (or `main`), which must lie inside the package. */
export function entryOf(description: PluginPackage, where: string): string {
  const loose: Readonly<Record<string, unknown>> = description;
  const entry = importTarget(loose["exports"]) ?? (typeof loose["main"] === "string" ? loose["main"] : undefined);
  if (entry === undefined) throw new BadManifest(where, { exports: 'must name the plugin\'s module under "."' });
  const normal = path.posix.normalize(entry);
  if (normal.startsWith("..") || path.posix.isAbsolute(normal))
    throw new BadManifest(where, { exports: "must stay inside the package" });
  return normal;
}

function importTarget(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const record = exports as Record<string, unknown>;
  for (const key of [".", "node", "import", "default"]) {
    const found = key in record ? importTarget(record[key]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
