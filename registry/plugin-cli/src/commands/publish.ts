import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { packPlugin } from "../packing/build.js";
import { publishPackage } from "../packing/publish-package.js";
import { publishThrough } from "../packing/publish-through.js";
import type { Finding } from "../findings/finding.js";
import { check } from "./check.js";

export interface PublishOptions {
  /** The registry; that of npm's configuration where it is left out. */
  readonly registry?: string | undefined;
  /** The server that an admin made the author's token at; it puts the package into its registry. */
  readonly server?: string | undefined;
  /** The token: of an author at the server, or of an account of the registry. */
  readonly token: string | undefined;
  readonly tag?: string | undefined;
}

/** What became of it: the findings that keep it back, or the version that the registry has now. */
export interface Published {
  readonly findings: readonly Finding[];
  readonly published: string | undefined;
}

/**
 * Checks a plugin and publishes it, unless the check finds an error.
 * @throws {Error} when the registry refuses it, or when there is no token
 */
export async function publish(folder: string, { registry, server, token, tag }: PublishOptions): Promise<Published> {
  if (token === undefined)
    throw new Error("Publishing needs a token: set LONGBOX_REGISTRY_TOKEN to the one that your admin gave you.");
  const { findings } = await check(folder);
  if (findings.some(({ severity }) => severity === "error")) return { findings, published: undefined };
  const { manifest, tarball } = await packPlugin(folder, {});
  const published = `${manifest.name}@${manifest.version}`;
  if (server !== undefined) {
    await publishThrough({ server, token, tag }, tarball);
    return { findings, published };
  }
  const url = (registry ?? (await configuredRegistry(folder))).replace(/\/+$/, "");
  await publishPackage(manifest, tarball, { registry: { url, token }, tag });
  return { findings, published };
}

/** The registry that npm would use in this folder. */
async function configuredRegistry(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"], { cwd: folder });
  return stdout.trim();
}
