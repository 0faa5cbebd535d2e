import { open } from "node:fs/promises";

/** Has the disk keep what a folder lists. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (thrown) {
    // Some network file systems know no such thing for folders.
    if ((thrown as NodeJS.ErrnoException).code !== "EINVAL") throw thrown;
  } finally {
    await handle.close();
  }
}
