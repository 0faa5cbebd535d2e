import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { readPluginPackage, type PluginOnDisk } from "./plugin-package.js";

const passedOver = new Set(["node_modules", "src", "test"]);

/** Reads a plugin under development in place. Its hash follows the times of its built files. */
export async function readLinkedFolder(folder: string): Promise<PluginOnDisk> {
  const digest = createHash("sha256");
  for await (const file of builtFiles(path.resolve(folder))) digest.update(file);
  return readPluginPackage(folder, { hash: digest.digest("hex").slice(0, 16), linked: true });
}

async function* builtFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory() && !passedOver.has(entry.name)) yield* builtFiles(at);
    if (!entry.isFile()) continue;
    const { size, mtimeMs } = await stat(at);
    yield `${at} ${size} ${mtimeMs}\n`;
  }
}
