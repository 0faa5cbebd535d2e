// The extension that a file or folder keeps when it gets another name.
import { lstat } from "node:fs/promises";
import { extname } from "node:path";

/**
 * The extension in lower case, with its dot. It is decided by what is on disk, not by the formats that are known at the
 * moment: the plugin of a format may be disabled, or still be starting. A folder has none, however many dots its name
 * has.
 */
export async function keptExtension(path: string): Promise<string> {
  const entry = await lstat(path).catch(() => undefined);
  return entry?.isDirectory() ? "" : extname(path).toLowerCase();
}
