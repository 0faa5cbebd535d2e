import { join } from "node:path";
import { CarriedRegistry } from "./carried-registry.js";
import { readCarried } from "./carried-packages.js";
import { registryBehind } from "./registry-behind.js";

const packages = join(import.meta.dirname, "plugins");

/**
 * Tells the kernel, by its environment, where plugins come from and which to begin with: those in this package, unless
 * the environment names another registry.
 */
export async function bringPackages(environment: NodeJS.ProcessEnv): Promise<void> {
  const carried = await readCarried(packages);
  const defaults = carried.filter(({ isDefault }) => isDefault);
  environment["LONGBOX_DEFAULT_PLUGINS"] ??= defaults
    .map(({ manifest: { name, version } }) => `${name}@${version}`)
    .join(",");
  environment["LONGBOX_REGISTRY"] ??= await CarriedRegistry.open({ folder: packages, carried, behind: registryBehind });
  endWithNpm(environment);
}

/** npm that is killed passes no signal on; this process then has a different parent. */
function endWithNpm(environment: NodeJS.ProcessEnv): void {
  if (environment["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 1000).unref();
}
