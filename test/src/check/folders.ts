import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "./check.js";
import { readSources } from "./sources.js";

const mostFiles = 22;

/**
 * No folder holds more than about twenty files, and the README of its package says what belongs into each room of
 * `src`.
 */
export const foldersCheck: Check = {
  name: "folders",
  async find(root) {
    const sources = await readSources(
      root,
      ["sdk", "kernel", "registry", "plugins", "examples", "test"],
      /\.(ts|mjs|js|css)$/,
    );
    const folders = Map.groupBy(sources, ({ path }) => path.slice(0, path.lastIndexOf("/")));
    const crowded = [...folders]
      .filter(([folder, files]) => !folder.endsWith("/migrations") && files.length > mostFiles)
      .map(([folder, files]) => `${folder} holds ${files.length} files; ${mostFiles} are the most. Make rooms.`);
    return [...crowded, ...(await unexplained(root, [...folders.keys()]))];
  },
};

async function unexplained(root: string, folders: readonly string[]): Promise<string[]> {
  const rooms = Map.groupBy(
    folders.filter((folder) => /\/src\//.test(folder) && !folder.endsWith("/migrations")),
    (folder) => /^(?:(?:plugins|examples)\/)?[^/]+/.exec(folder)![0],
  );
  const problems: string[] = [];
  for (const [home, inside] of rooms) {
    const readme = join(root, home, "README.md");
    const text = existsSync(readme) ? await readFile(readme, "utf8") : "";
    const said = new Set(
      [...text.matchAll(/^\| `((?:[\w-]+\/)?src\/[\w/-]+)` \| \S.*\|$/gm)].map((match) => match[1]!),
    );
    for (const folder of inside) {
      const room = folder.slice(home.length + 1);
      if (!said.delete(room)) problems.push(`${home}/README.md has no line "| \`${room}\` | what belongs there |".`);
    }
    problems.push(...[...said].map((room) => `${home}/README.md describes ${room}, which is gone.`));
  }
  return problems;
}
