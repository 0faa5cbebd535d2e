import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { readLinkedFolder } from "../plugins/linked/linked-folder.js";
import type { PluginOnDisk } from "../plugins/packages/plugin-package.js";

/** Installed packages do not change while tests run, and a process starts hundreds of hosts with the same ones. */
const installed = new Map<string, Promise<PluginOnDisk>>();

/**
 * Reads a plugin that a test names: by its folder, or by the id of an installed package. Node reads the source of one
 * that was not built, as long as its TypeScript needs no more than its types removed.
 */
export function readNamedPlugin(named: string): Promise<PluginOnDisk> {
  if (isFolder(named)) return readFolder(path.resolve(named));
  const folder = packageFolder(named);
  const read = installed.get(folder) ?? readFolder(folder);
  installed.set(folder, read);
  return read;
}

async function readFolder(folder: string): Promise<PluginOnDisk> {
  const plugin = await readLinkedFolder(folder);
  const found = (file: string) => moduleIn(plugin.folder, file);
  const workers = Object.entries(plugin.manifest.workers).map(([name, file]) => [name, found(file)]);
  return {
    ...plugin,
    entry: found(plugin.entry),
    manifest: { ...plugin.manifest, workers: Object.fromEntries(workers) as Record<string, string> },
  };
}

/** A built module, or the source that it would be built from. */
function moduleIn(folder: string, file: string): string {
  const source = file.replace(/^(\.\/)?dist\//, "src/").replace(/\.js$/, ".ts");
  return !existsSync(path.join(folder, file)) && existsSync(path.join(folder, source)) ? source : file;
}

function isFolder(named: string): boolean {
  return named.includes("/") || named.startsWith(".");
}

function packageFolder(named: string): string {
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
  throw new Error(
    `There is no package of a plugin "${named}" to be found from ${process.cwd()}: install it, such as with npm install --save-dev @longbox/${named}.`,
  );
}
