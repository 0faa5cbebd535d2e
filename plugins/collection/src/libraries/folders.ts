import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, parse } from "node:path";
import { badField } from "../errors.js";
import type { LibraryPlaces, PlaceRules } from "./library-places.js";
import { mountedFolders } from "./mounts.js";

export interface FolderListing {
  path: string;
  parent?: string;
  folders: Array<{ name: string; path: string }>;
}

/** How many sub-folders one answer holds. */
const listedAtMost = 1000;

/**
 * Lists the sub-folders of a folder of the server, as far as a library may be chosen there; without a path, the places
 * to begin at: the home folder and all mounted disks, or the folders that libraries may be in where an admin says so.
 */
export async function listFolders(path: string | undefined, places: LibraryPlaces): Promise<FolderListing> {
  const rules = await places.read();
  const isStart = path === undefined || path === "";
  const [only, ...others] = rules.allowed;
  if (isStart && (only === undefined || others.length > 0)) return { path: "", folders: await startFolders(rules) };
  const folder = await existingFolder(isStart ? (only as string) : path, "path");
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
async function startFolders(rules: PlaceRules): Promise<FolderListing["folders"]> {
  const home = homedir();
  const mounted = (await mountedFolders()).filter((folder) => rules.isShown(folder));
  const places = rules.allowed.length > 0 ? rules.allowed : [home, ...mounted, parse(home).root];
  const shown = [...new Set(places)].filter((folder) => rules.isShown(folder));
  return shown.map((folder) => ({ name: folder, path: folder }));
}

/** The real path of a folder whose content users may look at. @throws {BadInput} naming `path` */
export async function shownFolder(path: string, places: LibraryPlaces): Promise<string> {
  const folder = await existingFolder(path, "path");
  (await places.read()).checkListing(folder, "path");
  return folder;
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
  if (real === undefined || !found?.isDirectory()) throw badField(field, "is not a folder that the server can see");
  return real;
}
