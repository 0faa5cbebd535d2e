import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { readLinkedFolder } from "../plugins/packages/linking.js";
import type { PluginOnDisk } from "../plugins/packages/plugin-package.js";

/**
 * Reads a plugin that a test names: by its folder, or by the id of an installed package. Node reads the source of one that
 * was not built, as long as its TypeScript needs no more than its types removed.
 */
export async function readNamedPlugin(named: string): Promise<PluginOnDisk> {
  const plugin = await readLinkedFolder(packageFolder(named));
  const source = path.join("src", path.basename(plugin.entry).replace(/\.js$/, ".ts"));
  const isBuilt = existsSync(path.join(plugin.folder, plugin.entry));
  return isBuilt || !existsSync(path.join(plugin.folder, source)) ? plugin : { ...plugin, entry: source };
}

function packageFolder(named: string): string {
  if (named.includes("/") || named.startsWith(".")) return path.resolve(named);
  const requires = [createRequire(path.join(process.cwd(), "package.json")), createRequire(import.meta.url)];
  for (const name of [`@longbox/${named}`, `@longbox/example-${named}`]) {
    for (const require of requires) {
      try {
        return path.dirname(require.resolve(`${name}/package.json`));
      } catch {
        continue;
      }
    }
  }
  throw new Error(`There is no package of a plugin "${named}" to be found from ${process.cwd()}.`);
}
