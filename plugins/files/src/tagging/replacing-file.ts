import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import type { FilesDatabase } from "../tables.js";

/** Puts a new file in the place of an old one in a single step: whoever looks sees the whole old or the whole new one. */
export class ReplacingFiles {
  constructor(private readonly database: FilesDatabase) {}

  /** @param write - Writes the new contents, and throws when they must not be used: then nothing has changed */
  async replace(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
    const fresh = join(dirname(path), `.longbox-${randomUUID()}.tmp`);
    await this.database.insertInto("unfinished_file").values({ path: fresh }).execute();
    try {
      const former = await stat(path).catch(() => undefined);
      const file = await open(fresh, "wx+", former ? former.mode & 0o777 : 0o644);
      try {
        await write(file);
        await file.sync();
        // Only root may give files away; elsewhere the file belongs to whom it must.
        if (former) await file.chown(former.uid, former.gid).catch(() => undefined);
      } finally {
        await file.close();
      }
      await rename(fresh, path);
      await syncFolder(dirname(path));
    } catch (thrown) {
      await rm(fresh, { force: true });
      throw thrown;
    } finally {
      await this.database.deleteFrom("unfinished_file").where("path", "=", fresh).execute();
    }
  }

  /** Removes what a crash left half-written. */
  async recover(): Promise<void> {
    for (const { path } of await this.database.selectFrom("unfinished_file").selectAll().execute()) {
      await rm(path, { force: true });
      await this.database.deleteFrom("unfinished_file").where("path", "=", path).execute();
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
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
