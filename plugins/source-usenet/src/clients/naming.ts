import { rm } from "node:fs/promises";
import { fileName } from "../file-name.js";

/** The name of a download, and of its folder: with the key, so that no two downloads share a folder. */
export const nameOf = (title: string, key: string) => `${fileName(title)} [${key}]`;

/** The key in such a name. */
export const keyIn = (name: string) => /\[([A-Za-z0-9-]{8,40})\]/u.exec(name)?.[1] ?? "";

/**
 * Removes the folder of one download. Clients keep the files of finished downloads when these leave their history.
 * @param path - What the client named, as it is on this server: the folder, or a file in it
 * @param key - Stands in the folder's name; where no part of the path has it, nothing is removed
 */
export async function removeFolder(path: string, key: string): Promise<void> {
  const parts = path.split("/");
  const at = key === "" ? -1 : parts.findIndex((part) => part.includes(`[${key}]`));
  if (at > 0) await rm(parts.slice(0, at + 1).join("/"), { recursive: true, force: true });
}
