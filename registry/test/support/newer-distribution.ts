// A later release of the package `longbox`, made of the one that is installed: another number, and a later version of
// one plugin.
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { packTarball, publishFolder, type PublishedManifest, type RegistryAddress } from "@longbox/registry";
import { extract } from "tar";

export interface NewerRelease {
  readonly version: string;
  /** The package of the plugin whose version it raises, to the same number. */
  readonly plugin: string;
  /** A line in the change log of that plugin. */
  readonly change: string;
}

interface Carried {
  readonly manifest: PublishedManifest;
  readonly file: string;
  readonly integrity: string;
}

/**
 * Publishes the release. It names no dependencies: those of packages below this checkout are found in its node_modules.
 * @param folder - Where the release may be made
 */
export async function publishNewer(
  installed: string,
  { folder, registry, release }: { folder: string; registry: RegistryAddress; release: NewerRelease },
): Promise<void> {
  const made = await mkdtemp(join(folder, "newer-"));
  await cp(installed, made, { recursive: true });
  const { dependencies: _, ...manifest } = await readJson<PublishedManifest>(join(made, "package.json"));
  await writeFile(join(made, "package.json"), JSON.stringify({ ...manifest, version: release.version }));
  const kernel = join(made, "dist", "node_modules", "@longbox", "kernel", "package.json");
  await writeFile(kernel, JSON.stringify({ ...(await readJson<object>(kernel)), version: release.version }));
  await raisePlugin(join(made, "dist", "plugins"), release);
  await publishFolder(made, registry);
  await rm(made, { recursive: true });
}

async function raisePlugin(plugins: string, { plugin, version, change }: NewerRelease): Promise<void> {
  const list = join(plugins, "packages.json");
  const carried = await readJson<Carried[]>(list);
  const present = carried.find(({ manifest }) => manifest.name === plugin)!;
  const unpacked = join(plugins, "unpacked");
  await mkdir(unpacked);
  const tarball = await readFile(join(plugins, present.file));
  await pipeline(Readable.from([tarball]), extract({ cwd: unpacked, strip: 1 }));
  const manifest = { ...present.manifest, version };
  await writeFile(join(unpacked, "package.json"), JSON.stringify(manifest));
  await writeFile(join(unpacked, "CHANGELOG.md"), `# ${version} (2027-01-31)\n\n### Features\n\n* ${change}\n`);
  const packed = await packTarball(unpacked);
  await rm(unpacked, { recursive: true });
  await rm(join(plugins, present.file));
  const file = present.file.replace(present.manifest.version, version);
  await writeFile(join(plugins, file), packed);
  const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
  const raised = carried.map((one) => (one === present ? { ...one, manifest, file, integrity } : one));
  await writeFile(list, JSON.stringify(raised));
}

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, "utf8")) as T;
