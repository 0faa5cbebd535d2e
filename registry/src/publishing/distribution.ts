import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  filesBelow,
  packTarball,
  readPackageJson,
  stagePackage,
  writeManifest,
  type PackageJson,
  type PublishedManifest,
} from "@longbox/plugin-cli/packing";
import { withStaging } from "./staging.js";
import { workspaceFolders } from "./workspaces.js";

/** A package that is ready for a registry, or for `npm install` of the file. */
export interface Distribution {
  readonly manifest: PublishedManifest;
  readonly tarball: Buffer;
}

/**
 * What the package holds below `dist`, so that it needs no other package of this repository. They are no
 * `bundleDependencies`: npm takes what a bundled package needs for bundled as well, and a global installation would
 * lack it.
 */
const parts = ["@longbox/kernel", "@longbox/sdk"];

/**
 * Packs the npm package `longbox` of a built checkout: the program, the kernel and the SDK, and the tarballs of the
 * plugins that its `devDependencies` name. npm installs the packages of others beside it.
 */
export async function packDistribution(root: string): Promise<Distribution> {
  const workspaces = new Map<string, { folder: string; manifest: PackageJson }>();
  for (const folder of await workspaceFolders(root)) {
    const manifest = await readPackageJson(folder);
    workspaces.set(manifest.name, { folder, manifest });
  }
  const get = (name: string) => {
    const found = workspaces.get(name);
    if (!found) throw new Error(`This checkout has no package ${name}.`);
    return found;
  };
  return withStaging(async (staging) => {
    const staged = await stagePackage(get("longbox"), staging);
    for (const name of parts) {
      const target = join(staging, "dist", "node_modules", name);
      await writeManifest(target, await stagePackage(get(name), target));
    }
    await removeDeclarations(staging);
    await carryPlugins(Object.keys(get("longbox").manifest["devDependencies"] ?? {}).map(get), join(staging, "dist"));
    const manifest = { ...staged, dependencies: ofOthers(parts.map((name) => get(name).manifest)) };
    await writeManifest(staging, manifest);
    return { manifest, tarball: await packTarball(staging) };
  });
}

/** The dependencies of several packages on packages of others. */
function ofOthers(manifests: readonly PackageJson[]): Record<string, string> {
  const all = manifests.flatMap(({ dependencies }) => Object.entries(dependencies));
  return Object.fromEntries(all.filter(([name]) => !parts.includes(name)));
}

// No code is compiled against this package.
async function removeDeclarations(folder: string): Promise<void> {
  for (const file of await filesBelow(folder)) if (file.endsWith(".d.ts")) await rm(join(folder, file));
}

async function carryPlugins(plugins: { folder: string; manifest: PackageJson }[], target: string): Promise<void> {
  const carried: object[] = [];
  for (const plugin of plugins) {
    const { manifest, tarball } = await withStaging(async (staging) => {
      const staged = await stagePackage(plugin, staging);
      await writeManifest(staging, staged);
      return { manifest: staged, tarball: await packTarball(staging) };
    });
    const file = `${manifest.name.slice(manifest.name.lastIndexOf("/") + 1)}-${manifest.version}.tgz`;
    const path = join(target, "plugins", file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, tarball);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    carried.push({ manifest, isDefault: plugin.manifest.longboxDefault, file, integrity });
  }
  await writeFile(join(target, "plugins", "packages.json"), JSON.stringify(carried));
}
