import { setImmediate as breathe } from "node:timers/promises";
import type { FileNames } from "../contract.js";
import { parseFolderName, parseName } from "./parse-name.js";
import { readTitle } from "./read-title.js";

/** No disk holds a longer name, and no title means anything beyond. */
const longest = 1000;
/** About a hundredth of a second; then other requests have their turn. */
const namesAtOnce = 200;

/** The reader of names, for other plugins. */
export const fileNames: FileNames = {
  readFiles: (names, hints) => readEach(names, (name) => parseName(name, hints)),
  readFolders: (names) => readEach(names, parseFolderName),
  readTitles: (titles, hints) => readEach(titles, (title) => readTitle(title, hints)),
};

async function readEach<T>(names: readonly string[], read: (name: string) => T): Promise<T[]> {
  const found: T[] = [];
  for (const [index, name] of names.entries()) {
    if (index % namesAtOnce === namesAtOnce - 1) await breathe();
    found.push(read(name.slice(0, longest).toWellFormed()));
  }
  return found;
}
