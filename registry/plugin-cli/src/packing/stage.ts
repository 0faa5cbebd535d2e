import { cp, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { pluginPackageSchema } from "@longbox/sdk/manifest";
import { AuthorMistake } from "./author-mistake.js";
import { bundlePlugin, type BundleOptions } from "./bundle.js";
import { copyDependencies } from "./copied-dependencies.js";
import { reachableDeclarations } from "./declarations.js";
import { isHostSingleton } from "./host-singletons.js";
import { unlinkOutside } from "./links.js";
import { isPlugin, type PackageJson } from "./package-json.js";
import {
  copiedPackageFolders,
  neededThirdParties,
  packageFoldersOf,
  readClientThirdParty,
  readThirdParty,
  writeNotices,
} from "./third-party.js";

/** package.json as it is published. */
export type PublishedManifest = Record<string, unknown> & { name: string; version: string };

/** A package to be packed. */
export interface StagedPackage extends BundleOptions {
  readonly folder: string;
  readonly manifest: PackageJson;
}

/**
 * Copies the content of the package of a built workspace to `target`, and returns its manifest (not yet written).
 * @throws {Error} When the manifest is wrong, or names a file that was not built.
 */
export async function stagePackage(
  { folder, manifest, ...options }: StagedPackage,
  target: string,
): Promise<PublishedManifest> {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const plugin = isPlugin(manifest);
  const kept = plugin ? await keptOfPlugin(folder, manifest) : keepsAll;
  for (const name of new Set([...manifest.files, "README.md"])) await copyBuilt({ folder, name, kept }, target);
  await copyLicense(folder, target);
  await unlinkOutside(target, await filesBelow(target));
  if (!plugin) {
    const needed = await neededThirdParties(folder, Object.keys(manifest.dependencies));
    await writeNotices(target, { of: manifest.name, contained: [], needed });
    return publishedManifest(manifest, { dependencies: manifest.dependencies });
  }
  checkManifest(manifest);
  const bundled = await bundlePlugin({ folder, manifest, ...options }, target);
  const copied = await copyDependencies(folder, manifest.longboxBundle.copy, target);
  await noteThirdParties(manifest.name, bundled, target);
  await checkNamedFiles(manifest, target);
  const shared = Object.fromEntries(Object.entries(manifest.dependencies).filter(([name]) => isHostSingleton(name)));
  return publishedManifest(manifest, {
    dependencies: copied,
    bundleDependencies: Object.keys(copied),
    peerDependencies: { ...manifest.peerDependencies, ...shared },
  });
}

export async function writeManifest(target: string, manifest: PublishedManifest): Promise<void> {
  await writeFile(join(target, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** All third-party packages in the package: bundled into its modules or its client, or copied. */
async function noteThirdParties(name: string, bundled: readonly string[], target: string): Promise<void> {
  const folders = [...packageFoldersOf(bundled), ...(await copiedPackageFolders(target))];
  const parts = await Promise.all(folders.map(readThirdParty));
  await writeNotices(target, { of: name, contained: [...parts, ...(await readClientThirdParty(target))] });
}

type Kept = (file: string) => boolean;

const keepsAll: Kept = () => true;

/** Of a plugin's dist only the declarations that others can reach: its modules come from the bundle. */
async function keptOfPlugin(folder: string, manifest: PackageJson): Promise<Kept> {
  const reachable = await reachableDeclarations(folder, manifest);
  return (file) => !file.startsWith("dist/") || (file.endsWith(".d.ts") && (reachable?.has(file) ?? true));
}

async function copyBuilt(
  { folder, name, kept }: { readonly folder: string; readonly name: string; readonly kept: Kept },
  target: string,
): Promise<void> {
  const source = join(folder, name);
  if ((await unlessMissing(stat(source))) === undefined) return;
  await mkdir(dirname(join(target, name)), { recursive: true });
  await cp(source, join(target, name), {
    recursive: true,
    filter: async (path) => {
      if (path.endsWith(".map") || basename(path) === ".tsbuildinfo") return false;
      return kept(relative(folder, path)) || (await stat(path)).isDirectory();
    },
  });
}

// One licence at the root of a checkout is every package's.
async function copyLicense(folder: string, target: string): Promise<void> {
  for (const place of [folder, join(folder, ".."), join(folder, "..", "..")]) {
    if ((await unlessMissing(stat(join(place, "LICENSE")))) === undefined) continue;
    return cp(join(place, "LICENSE"), join(target, "LICENSE"));
  }
}

function checkManifest(manifest: PackageJson): void {
  const parsed = pluginPackageSchema.safeParse(manifest);
  if (parsed.success) return;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  const message = `The manifest of ${manifest.name} is wrong: ${problems}`;
  throw new AuthorMistake("kernel/bad-manifest", message, { file: "package.json" });
}

async function checkNamedFiles(manifest: PackageJson, target: string): Promise<void> {
  const { client, site, workers } = pluginPackageSchema.parse(manifest).longbox;
  const named = [
    { field: "client.js", path: client?.js, code: "client-file-missing" },
    { field: "client.css", path: client?.css, code: "client-file-missing" },
    { field: "site", path: site, code: "site-missing" },
    ...Object.entries(workers).map(([name, path]) => ({ field: `workers.${name}`, path, code: "worker-missing" })),
  ];
  for (const { field, path, code } of named) {
    if (path === undefined || (await unlessMissing(stat(join(target, path)))) !== undefined) continue;
    const message = `The manifest of ${manifest.name} names ${path}, which was not built or is not among its "files" (longbox.${field}).`;
    throw new AuthorMistake(code, message, { file: "package.json" });
  }
}

// Fields for development are removed, and bundled packages are no longer dependencies.
function publishedManifest(manifest: PackageJson, changed: Record<string, unknown>): PublishedManifest {
  const {
    private: _private,
    devDependencies: _dev,
    scripts: _scripts,
    dependencies: _dependencies,
    longboxBundle: _bundle,
    longboxDefault: _default,
    files: _files,
    ...rest
  } = manifest as PackageJson & Record<string, unknown>;
  const kept = Object.entries({ ...rest, ...changed }).filter(
    ([, value]) => typeof value !== "object" || value === null || Object.keys(value).length > 0,
  );
  return Object.fromEntries(kept) as PublishedManifest;
}

/** Every file below a folder, relative to it, sorted. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
