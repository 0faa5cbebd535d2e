// The package in a folder under development, and which of its files count as built.
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { readPluginPackage, type PluginOnDisk } from "../packages/plugin-package.js";

/**
 * Reads a plugin under development in place. Its hash follows the times of its built files.
 * @param except - a folder that does not belong to it although it may lie in it: the server's data
 * @throws {BadManifest}
 */
export async function readLinkedFolder(folder: string, except?: string): Promise<PluginOnDisk> {
  const plugin = await readPluginPackage(folder, { hash: "", linked: true });
  const digest = createHash("sha256");
  for (const { name, isFolder } of await builtEntries(plugin)) {
    const at = path.join(plugin.folder, name);
    if (!isFolder) digest.update(await stamp(at));
    else for await (const file of filesBelow(at, except)) digest.update(await stamp(file));
  }
  return { ...plugin, hash: digest.digest("hex").slice(0, 16) };
}

/** The files and folders at the top of a package that hold what runs: sources only when the entry is one of them. */
export async function builtEntries({
  folder,
  entry,
  manifest,
}: Pick<PluginOnDisk, "folder" | "entry" | "manifest">): Promise<{ name: string; isFolder: boolean }[]> {
  const runs = [entry, ...Object.values(manifest.workers)].map((file) => path.posix.normalize(file));
  const passedOver = new Set(["node_modules", "test"]);
  if (!runs.some((file) => file.startsWith("src/"))) passedOver.add("src");
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return found
    .filter((one) => !one.name.startsWith(".") && (one.isFile() || (one.isDirectory() && !passedOver.has(one.name))))
    .map((one) => ({ name: one.name, isFolder: one.isDirectory() }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function* filesBelow(folder: string, except: string | undefined): AsyncGenerator<string> {
  if (folder === except) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") yield* filesBelow(at, except);
    if (entry.isFile()) yield at;
  }
}

/** What changes with a file. A file that was just removed has none: a build is under way. */
async function stamp(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? "" : `${file} ${found.size} ${found.mtimeMs}\n`;
}
