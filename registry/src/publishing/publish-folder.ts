import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  contentHash,
  packTarball,
  publishPackage,
  readPackageJson,
  stagePackage,
  writeManifest,
  type PublishedManifest,
  type PublishTarget,
  type RegistryAddress,
} from "@longbox/plugin-cli/packing";
import { nextVersion } from "./next-version.js";
import { publishedVersions } from "./packument.js";
import { withStaging } from "./staging.js";

export interface Publication {
  readonly name: string;
  readonly version: string;
  /** False when the registry already has the same content. */
  readonly isNew: boolean;
}

/** Bundles and publishes a built package (a plugin, the SDK) unless the registry already has the same content. */
export async function publishBuilt(folder: string, registry: RegistryAddress): Promise<Publication> {
  const manifest = await readPackageJson(folder);
  return withStaging(async (staging) => {
    const staged = await stagePackage({ folder, manifest }, staging);
    const longboxContent = await contentHash(staging, staged);
    const { version, isNew } = nextVersion(
      manifest.version,
      longboxContent,
      await publishedVersions(manifest.name, registry),
    );
    if (isNew) await send(staging, { ...staged, version, longboxContent }, { registry });
    return { name: manifest.name, version, isNew };
  });
}

/** Publishes a folder as it is, without bundling. */
export async function publishFolder(
  folder: string,
  registry: RegistryAddress,
  options: { version?: string; tag?: string } = {},
): Promise<Publication> {
  return withStaging(async (staging) => {
    await cp(folder, staging, { recursive: true });
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as PublishedManifest;
    const version = options.version ?? manifest.version;
    await send(staging, { ...manifest, version }, { registry, tag: options.tag });
    return { name: manifest.name, version, isNew: true };
  });
}

async function send(staging: string, manifest: PublishedManifest, target: PublishTarget): Promise<void> {
  await writeManifest(staging, manifest);
  await publishPackage(manifest, await packTarball(staging), target);
}
