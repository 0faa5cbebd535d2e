import { execFile } from "node:child_process";
import { promisify } from "node:util";

const publicRegistry = "https://registry.npmjs.org/";

/**
 * The registry in npm's configuration on this machine, with a slash at its end; npm's public one where there is no npm.
 */
export async function registryBehind(): Promise<string> {
  const url = process.env["npm_config_registry"] ?? (await configured());
  return url.endsWith("/") ? url : `${url}/`;
}

async function configured(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
    return new URL(stdout.trim()).href;
  } catch {
    return publicRegistry; // A server does not need npm, so it may be missing.
  }
}
