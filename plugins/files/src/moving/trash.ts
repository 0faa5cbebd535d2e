import { join, relative } from "node:path";

/** The folder of each library that takes what was removed; its name keeps it out of scans. */
export const trashName = ".longbox-trash";

/** Where a file goes that is taken away: its own path, below the moment at which it went. */
export function trashPath(rootFolder: string, path: string): string {
  return join(rootFolder, trashName, new Date().toISOString().replace(/[:.]/g, "-"), relative(rootFolder, path));
}

export function isInTrash(path: string): boolean {
  return path.includes(`/${trashName}/`);
}
