import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, parse } from "node:path";
import { badField } from "../errors.js";
import type { LibraryPlaces, PlaceRules } from "./library-places.js";

export interface FolderListing {
  path: string;
  parent?: string;
  folders: Array<{ name: string; path: string }>;
}

/** How many sub-folders one answer holds. */
const listedAtMost = 1000;

/**
 * Lists the sub-folders of a folder of the server, as far as a library may be chosen there; without a path, those of
 * the home folder, or the folders that libraries may be in where an admin says so.
 */
export async function listFolders(path: string | undefined, places: LibraryPlaces): Promise<FolderListing> {
  const rules = await places.read();
  const isStart = path === undefined || path === "";
  if (isStart && rules.allowed.length > 1)
    return { path: "", folders: rules.allowed.map((folder) => ({ name: folder, path: folder })) };
  const folder = await existingFolder(isStart ? startFolder(rules) : path, "path");
  rules.checkListing(folder, "path");
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw badField("path", "cannot be read by the server");
  });
  const folders = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .filter((entry) => rules.isShown(entry.path))
    .toSorted(byName);
  return { path: folder, ...parentOf(folder, rules), folders: folders.slice(0, listedAtMost) };
}

/** A service may have its home among the folders of the system. */
function startFolder(rules: PlaceRules): string {
  const home = homedir();
  return rules.allowed[0] ?? (rules.isShown(home) ? home : parse(home).root);
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name.localeCompare(right.name, "en", { numeric: true, sensitivity: "base" });
}

/** The folder above, where it may be looked at. */
function parentOf(folder: string, rules: PlaceRules): { parent?: string } {
  const parent = dirname(folder);
  return parent !== folder && rules.isShown(parent) ? { parent } : {};
}

/** The real path of a folder. @throws {BadInput} naming `field` when there is no such absolute folder */
export async function existingFolder(path: string, field: string): Promise<string> {
  if (!isAbsolute(path) || path.includes("\0")) throw badField(field, "must be an absolute path");
  // The user typed the path; whatever keeps the server from it is answered as a wrong field.
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || !found?.isDirectory()) throw badField(field, "is no folder that the server can see");
  return real;
}
