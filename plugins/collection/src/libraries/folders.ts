import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, parse, relative, sep } from "node:path";
import { badField } from "../errors.js";

export interface FolderListing {
  path: string;
  parent?: string;
  folders: Array<{ name: string; path: string }>;
}

/** How many sub-folders one answer holds. */
const listedAtMost = 1000;

/** Lists the sub-folders of a folder of the server; without a path, those of the home folder. */
export async function listFolders(path: string | undefined): Promise<FolderListing> {
  const folder = path === undefined || path === "" ? homedir() : await existingFolder(path, "path");
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw badField("path", "cannot be read by the server");
  });
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name);
  names.sort((left, right) => left.localeCompare(right, "en", { numeric: true, sensitivity: "base" }));
  const folders = names.slice(0, listedAtMost).map((name) => ({ name, path: join(folder, name) }));
  return { path: folder, ...(folder === parse(folder).root ? {} : { parent: dirname(folder) }), folders };
}

/** The real path of a folder. @throws {BadInput} naming `field` when there is no such absolute folder */
export async function existingFolder(path: string, field: string): Promise<string> {
  if (!isAbsolute(path) || path.includes("\0")) throw badField(field, "must be an absolute path");
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || !found?.isDirectory()) throw badField(field, "is no folder that the server can see");
  return real;
}

/** Whether `inner` is `outer` or lies inside it. */
export function isWithin(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
