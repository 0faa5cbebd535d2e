// A digest of a folder, for tests that want it byte for byte as it was.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/**
 * One digest of every name and byte below a folder; SQLite's `-shm` files, which hold no data, are left out, and the
 * other given ones.
 */
export async function digestOf(folder: string, except = /-shm$/): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !except.test(entry.name));
  for (const at of files.map(({ parentPath, name }) => path.join(parentPath, name)).sort())
    hash.update(path.relative(folder, at)).update(await readFile(at));
  return hash.digest("hex");
}
