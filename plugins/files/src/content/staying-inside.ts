import { lstat } from "node:fs/promises";
import { resolveWithin, systemViewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";

/**
 * Whether a file of a library is one, and no link that leads out of it: a link may have been put into its place after
 * the scan.
 */
export async function staysInside(
  path: string,
  collection: Pick<CollectionContract, "listLibraries">,
): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSymbolicLink()) return found !== undefined;
  const libraries = await collection.listLibraries(systemViewer);
  const home = libraries.find(({ rootFolder }) => path.startsWith(`${rootFolder}/`));
  return home !== undefined && (await resolveWithin(home.rootFolder, path)) !== undefined;
}
