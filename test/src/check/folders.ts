import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "./check.js";
import { readSources } from "./sources.js";

const mostFiles = 22;

/**
 * No folder holds more than about twenty files, and a README says what belongs into each room: that of the package for
 * rooms of `src`, that of the package or of its tests for rooms of `test`. `support` says so by its name.
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

/** Below `src` and `test` of a package. `test/README.md` describes the folders of tests of the whole product. */
const isRoom = (folder: string) =>
  /\/src\/|\/test\/(?!(?:.*\/)?support$)/.test(folder) && !folder.endsWith("/migrations");
const productTests = /^test\/(?!src$|src\/)([^/]+)$/;

async function unexplained(root: string, folders: readonly string[]): Promise<string[]> {
  const rooms = Map.groupBy(folders.filter(isRoom), (folder) => /^(?:(?:plugins|examples)\/)?[^/]+/.exec(folder)![0]);
  const problems: string[] = [];
  for (const [home, inside] of rooms) {
    const text = (await readText(root, `${home}/README.md`)) + (await readText(root, `${home}/test/README.md`));
    const said = new Set(
      [...text.matchAll(/^\| `((?:[\w-]+\/)?(?:src|test)\/[\w/-]+)` \| \S.*\|$/gm)].map((match) => match[1]!),
    );
    for (const folder of inside) {
      const room = folder.slice(home.length + 1);
      if (!said.delete(room)) problems.push(`${home}/README.md has no line "| \`${room}\` | what belongs there |".`);
    }
    problems.push(...[...said].map((room) => `${home}/README.md describes ${room}, which is gone.`));
  }
  const product = await readText(root, "test/README.md");
  const kinds = folders.flatMap((folder) => productTests.exec(folder)?.[1] ?? []);
  const missing = kinds.filter((kind) => !product.includes(`\n| \`${kind}\` | `));
  return [...problems, ...missing.map((kind) => `test/README.md has no line "| \`${kind}\` | what it tests |".`)];
}

async function readText(root: string, path: string): Promise<string> {
  return existsSync(join(root, path)) ? readFile(join(root, path), "utf8") : "";
}
