import { open } from "node:fs/promises";

/** Syncs the list of names of a folder to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (thrown) {
    // Some network file systems cannot sync folders.
    if ((thrown as NodeJS.ErrnoException).code !== "EINVAL") throw thrown;
  } finally {
    await handle.close();
  }
}
