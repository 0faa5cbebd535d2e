import type { Stats } from "node:fs";
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import { Conflict } from "@longbox/sdk";
import { syncFolder } from "../moving/syncing.js";
import type { FilesDatabase } from "../tables.js";

/** Replaces a file atomically: readers see either the whole old file or the whole new one. */
export class ReplacingFiles {
  constructor(private readonly database: FilesDatabase) {}

  /**
   * @param write - Writes the new contents, and throws when they must not be used: then nothing has changed
   * @throws {Conflict} `files/changed-meanwhile` when another program put a newer file in the place: that one stays
   */
  async replace(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
    const fresh = join(dirname(path), `.longbox-${randomUUID()}.tmp`);
    await this.database.insertInto("unfinished_file").values({ path: fresh }).execute();
    try {
      const former = await statIfThere(path);
      const file = await open(fresh, "wx+", former ? former.mode & 0o777 : 0o644);
      try {
        await write(file);
        await file.sync();
        // Only root may change the owner of files.
        if (former) await file.chown(former.uid, former.gid).catch(() => undefined);
      } finally {
        await file.close();
      }
      // The new contents were made from the former file, and must not replace any other.
      if (!isSame(former, await statIfThere(path))) throw new ChangedMeanwhile(path);
      await rename(fresh, path);
      await syncFolder(dirname(path));
    } catch (thrown) {
      await rm(fresh, { force: true });
      throw thrown;
    } finally {
      await this.database.deleteFrom("unfinished_file").where("path", "=", fresh).execute();
    }
  }

  /** Removes unfinished files after a crash. */
  async recover(): Promise<void> {
    for (const { path } of await this.database.selectFrom("unfinished_file").selectAll().execute()) {
      await rm(path, { force: true });
      await this.database.deleteFrom("unfinished_file").where("path", "=", path).execute();
    }
  }
}

/** Another program changed or replaced the file while its successor was being written. */
class ChangedMeanwhile extends Conflict {
  constructor(path: string) {
    super(
      "files/changed-meanwhile",
      `${basename(path)} was changed by another program meanwhile; it was left as it is.`,
    );
  }
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT") return undefined;
    throw thrown;
  });
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  if (!one || !other) return one === other;
  return one.dev === other.dev && one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;
}
