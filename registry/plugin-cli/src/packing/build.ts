import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { sdkVersion } from "../sdk-version.js";
import { AuthorMistake } from "./author-mistake.js";
import { isPlugin, readPackageJson, type PackageJson } from "./package-json.js";
import { stagePackage, writeManifest, type PublishedManifest } from "./stage.js";
import { packTarball } from "./tarball.js";

/** A package, as a registry takes it. */
export interface PackedPlugin {
  readonly manifest: PublishedManifest;
  readonly tarball: Buffer;
}

export interface PackOptions {
  /** In place of the version in package.json. */
  readonly version?: string;
  readonly sourceMaps?: boolean;
}

/**
 * Builds a plugin from its sources and packs it with everything that it needs. The folder itself only gets the client
 * that is built.
 * @throws {Error} with a sentence that says what the author has to change
 */
export async function packPlugin(folder: string, { version, sourceMaps = false }: PackOptions): Promise<PackedPlugin> {
  const description = await readPackageJson(folder);
  if (!isPlugin(description))
    throw new AuthorMistake(
      "kernel/not-a-plugin",
      `The field keywords of package.json does not hold "longbox-plugin", so this is not a plugin.`,
      { file: "package.json" },
    );
  await buildClient(folder, description);
  const staging = await mkdtemp(join(tmpdir(), "longbox-plugin-"));
  try {
    const fromSource = existsSync(join(folder, "src"));
    const staged = await stagePackage({ folder, manifest: description, fromSource, sourceMaps }, staging);
    const manifest = { ...staged, version: version ?? staged.version };
    if (!fromSource) await cp(join(folder, "dist"), join(staging, "dist"), { recursive: true });
    await writeManifest(staging, manifest);
    return { manifest, tarball: await packTarball(staging) };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Bundles `client/src/index.ts` into the module that the manifest names. */
async function buildClient(folder: string, { longbox }: PackageJson): Promise<void> {
  const client = longbox?.["client"] as { readonly js?: unknown } | undefined;
  const source = join(folder, "client", "src", "index.ts");
  if (typeof client?.js !== "string" || !existsSync(source)) return;
  await using bundle = await rolldown({ cwd: folder, input: source, platform: "browser", tsconfig: true });
  await bundle.write({
    file: join(folder, client.js),
    format: "esm",
    codeSplitting: false,
    minify: true,
    postBanner: `/*! longbox-kit ${sdkVersion} */`,
  });
}
