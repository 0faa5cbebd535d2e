import { join, relative } from "node:path";

/** The folder of each library that takes what was removed; its name keeps it out of scans. */
export const trashName = ".longbox-trash";

/** The path of a removed file in the trash: its own path, below a folder named after the time. */
export function trashPath(rootFolder: string, path: string): string {
  return join(rootFolder, trashName, new Date().toISOString().replace(/[:.]/g, "-"), relative(rootFolder, path));
}

export function isInTrash(path: string): boolean {
  return path.includes(`/${trashName}/`);
}
