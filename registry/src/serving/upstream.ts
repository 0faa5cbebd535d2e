import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The registry that npm itself would use on this machine: its configuration knows mirrors and proxies. */
export async function machineRegistry(): Promise<string> {
  const given = process.env["npm_config_registry"];
  if (given) return given;
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
  return stdout.trim();
}
