import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  isPlugin,
  packTarball,
  readPackageJson,
  stagePackage,
  writeManifest,
  type PublishedManifest,
} from "@longbox/plugin-cli/packing";
import { workspaceFolders } from "@longbox/registry";
import { z } from "zod";

/** One version of a package, as a registry holds it. */
export interface PublishedPackage {
  readonly manifest: PublishedManifest;
  readonly tarball: Buffer;
}

/** Packs the public plugins of a built checkout in their present versions. */
export async function packCheckout(root: string): Promise<PublishedPackage[]> {
  const packages: PublishedPackage[] = [];
  for (const folder of await workspaceFolders(root)) {
    const manifest = await readPackageJson(folder);
    if (manifest.private || !isPlugin(manifest)) continue;
    const staging = await mkdtemp(join(tmpdir(), "longbox-crater-"));
    try {
      const staged = await stagePackage({ folder, manifest }, staging);
      await writeManifest(staging, staged);
      packages.push({ manifest: staged, tarball: await packTarball(staging) });
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }
  return packages;
}

const searchSchema = z.object({ objects: z.array(z.object({ package: z.object({ name: z.string() }) })) });
const packumentSchema = z.object({
  versions: z.record(
    z.string(),
    z.looseObject({ name: z.string(), version: z.string(), dist: z.object({ tarball: z.string() }) }),
  ),
});
const limitMs = 60_000;

/** Fetches every version of every plugin that a registry holds. @throws {Error} when it does not answer */
export async function fetchPublished(registry: string): Promise<PublishedPackage[]> {
  const base = registry.replace(/\/*$/, "/");
  const found = searchSchema.parse(await json(`${base}-/v1/search?text=keywords:longbox-plugin&size=250`));
  const packages: PublishedPackage[] = [];
  for (const { name } of found.objects.map((object) => object.package)) {
    const { versions } = packumentSchema.parse(await json(`${base}${name.replace("/", "%2f")}`));
    for (const { dist, ...manifest } of Object.values(versions)) {
      const answer = await fetch(dist.tarball, { signal: AbortSignal.timeout(limitMs) });
      if (!answer.ok) throw new Error(`${dist.tarball} answered ${answer.status}.`);
      packages.push({ manifest, tarball: Buffer.from(await answer.arrayBuffer()) });
    }
  }
  return packages;
}

async function json(address: string): Promise<unknown> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(limitMs) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  return answer.json();
}
