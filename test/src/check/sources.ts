import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

export { withoutComments } from "@longbox/kernel/portable-sql";

export interface Source {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

const skipped = new Set(["node_modules", "dist", ".git", "temp", "coverage", ".longbox"]);

/** Declarations that the compiler writes for a client. */
const isGenerated = (path: string) => path.split(sep).join("/").endsWith("/client/types");

/**
 * The files below `folders` whose names match, without what is installed or built.
 * @throws {Error} `ENOENT` when a folder is missing: a rule that reads nothing would hold.
 */
export async function readSources(root: string, folders: readonly string[], pattern: RegExp): Promise<Source[]> {
  const found: Source[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (skipped.has(entry.name) || isGenerated(path)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile() && pattern.test(entry.name))
        found.push({ path: relative(root, path).split(sep).join("/"), text: await readFile(path, "utf8") });
    }
  };
  for (const folder of folders) await walk(join(root, folder));
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
