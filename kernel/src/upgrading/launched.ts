// What a start needs to know of upgrades before it loads anything else of them.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Set for a server that another version has started in its place. */
export const launchedVariable = "LONGBOX_LAUNCHED";

/** Whether another version may have to be started in place of this one. */
export function mayBeAnother(dataFolder: string): boolean {
  return process.env[launchedVariable] === undefined && existsSync(join(dataFolder, "versions", "chosen.json"));
}
