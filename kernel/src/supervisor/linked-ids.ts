import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";

/**
 * The ids of plugins that run from a folder, by the folder's real path. What cannot be read, the kernel will complain
 * of.
 */
export function linkedIds(folders: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const folder of folders) {
    try {
      const real = realpathSync(folder);
      const { longbox } = JSON.parse(readFileSync(path.join(real, "package.json"), "utf8")) as {
        longbox?: { id?: string };
      };
      if (longbox?.id !== undefined) ids.set(real, longbox.id);
    } catch {
      continue;
    }
  }
  return ids;
}
