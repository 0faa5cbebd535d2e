import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder with those above it.
 * @returns the first one that was made, undefined when all were there
 * @throws what the file system says: Node's own way says ENOENT of a disk that is read-only
 */
export async function makeFolders(folder: string): Promise<string | undefined> {
  return mkdir(folder, { recursive: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "ENOENT") throw thrown;
    return makeOneByOne(folder);
  });
}

async function makeOneByOne(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder);
    return folder;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EEXIST") return undefined;
    if (code !== "ENOENT" || dirname(folder) === folder) throw thrown;
  }
  const first = await makeOneByOne(dirname(folder));
  return (await makeOneByOne(folder)) === undefined ? first : (first ?? folder);
}
