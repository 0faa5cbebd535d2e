import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The registry in npm's configuration on this machine, which may name mirrors and proxies. */
export async function machineRegistry(): Promise<string> {
  const given = process.env["npm_config_registry"];
  if (given) return given;
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
  return stdout.trim();
}
