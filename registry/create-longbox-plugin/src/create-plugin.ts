import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pluginFiles } from "./files.js";
import { reservedIds } from "./reserved-ids.js";

const idPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const scopePattern = /^@[a-z0-9][a-z0-9._-]*\//;

/**
 * Writes a plugin to begin with into an empty or missing folder.
 * @param name - of the package: `my-plugin` or `@me/my-plugin`; its last part is the plugin's id
 * @param registry - that it was taken from, where that is not npm's own: the packages that it needs are there, too
 * @returns the names of the files
 * @throws {Error} when the name has no id in it or one of the server's own, or the folder is not empty
 */
export async function createPlugin(folder: string, name: string, registry?: string): Promise<string[]> {
  const id = name.replace(/^@[^/]+\//, "").replace(/^longbox-(plugin-)?/, "");
  if (name.startsWith("@") && !scopePattern.test(name))
    throw new Error(`"${name}" cannot be a package: its scope must be in lower-case letters, such as @me.`);
  if (!idPattern.test(id) || id.length > 64)
    throw new Error(`"${name}" cannot be a plugin: its id "${id}" must be lower-case words joined by hyphens.`);
  if (reservedIds.has(id))
    throw new Error(`"${name}" cannot be a plugin: the server calls things of its own "${id}". Choose another name.`);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`);
  const files = pluginFiles({ name, id, registry });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return Object.keys(files);
}
