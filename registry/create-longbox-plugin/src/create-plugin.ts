import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pluginFiles } from "./files.js";

const idPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Writes a plugin to begin with into an empty or missing folder.
 * @param name - of the package: `my-plugin` or `@me/my-plugin`; its last part is the plugin's id
 * @returns the names of the files
 * @throws {Error} when the name has no id in it, or the folder is not empty
 */
export async function createPlugin(folder: string, name: string): Promise<string[]> {
  const id = name.replace(/^@[^/]+\//, "").replace(/^longbox-(plugin-)?/, "");
  if (!idPattern.test(id) || id.length > 64)
    throw new Error(`"${name}" cannot be a plugin: its id "${id}" must be lower-case words joined by hyphens.`);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`);
  const files = pluginFiles({ name, id });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return Object.keys(files);
}
