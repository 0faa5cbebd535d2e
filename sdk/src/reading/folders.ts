import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is a folder or something below it, going by the text of both: links are not resolved. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * The real path of something in a folder, with every link followed; undefined when it is not there, or when a link
 * leads out of the folder. The folder itself may be a link.
 */
export async function resolveWithin(folder: string, path: string): Promise<string | undefined> {
  // A path that cannot be resolved, for whatever reason, is not within the folder.
  const [root, real] = await Promise.all([folder, path].map((each) => realpath(each).catch(() => undefined)));
  return root !== undefined && real !== undefined && isWithin(root, real) ? real : undefined;
}
