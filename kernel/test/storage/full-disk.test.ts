import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SqliteStoring } from "../../dist/storage/index.js";
import { keepingLog, temporaryFolder } from "./storage-folder.js";

/** A file system of a few megabytes; undefined where this process may not mount one. */
async function smallDisk(): Promise<(AsyncDisposable & { path: string }) | undefined> {
  const folder = await temporaryFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", folder.path]);
  if (mounted.status !== 0) {
    await folder[Symbol.asyncDispose]();
    return undefined;
  }
  return {
    path: folder.path,
    async [Symbol.asyncDispose]() {
      spawnSync("umount", [folder.path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe("a full disk", () => {
  it("fails writes with an error that says so, goes on reading, and recovers by itself", async (context) => {
    await using disk = await smallDisk();
    if (!disk) return context.skip("this process may not mount a file system");
    const storing = new SqliteStoring({ folder: disk.path, log: keepingLog() });
    try {
      const storage = await storing.open("shelves");
      const database = storage.database<any>();
      const document = await storage.document("note", z.object({ text: z.string().default("") }));
      const cache = await storage.cache("pages", { maxBytes: 1e9 });
      await sql`create table page (id integer primary key, bytes blob)`.execute(database);
      const write = () =>
        database
          .insertInto("page")
          .values({ bytes: Buffer.alloc(10_000, 7) })
          .execute();
      await write();
      await document.update(() => ({ text: "before" }));
      const ballast = join(disk.path, "ballast");
      await writeFile(ballast, Buffer.alloc(3_000_000)).catch(() => undefined);
      const full = { kind: "storage-full", code: "kernel/storage-full" };
      let written = 1;
      let refusal: unknown;
      while (!refusal)
        await write().then(
          () => (written += 1),
          (fault) => (refusal = fault),
        );
      expect(refusal).toMatchObject(full);
      await writeFile(join(disk.path, "last"), Buffer.alloc(6_000_000)).catch(() => undefined);
      await expect(write()).rejects.toMatchObject(full);
      await expect(
        database.transaction().execute(
          async (transaction) =>
            void (await transaction
              .insertInto("page")
              .values({ bytes: Buffer.alloc(500_000) })
              .execute()),
        ),
      ).rejects.toMatchObject(full);
      await expect(document.update(() => ({ text: "x".repeat(100_000) }))).rejects.toMatchObject(full);
      // What a cache has no room for is written elsewhere for a while.
      const elsewhere = await cache.fetch("k", async () => Buffer.alloc(100_000, 7));
      expect([elsewhere.startsWith(disk.path), (await readFile(elsewhere)).equals(Buffer.alloc(100_000, 7))]).toEqual([
        false,
        true,
      ]);
      expect(document.read()).toEqual({ text: "before" });
      const counted = () =>
        database
          .selectFrom("page")
          .select((each) => each.fn.countAll().as("n"))
          .executeTakeFirst();
      expect(await counted()).toEqual({ n: written });
      await rm(ballast, { force: true });
      await rm(join(disk.path, "last"), { force: true });
      await write();
      await document.update(() => ({ text: "after" }));
      expect(await counted()).toEqual({ n: written + 1 });
      expect((await sql`pragma integrity_check`.execute(database)).rows).toEqual([{ integrity_check: "ok" }]);
    } finally {
      await storing.release();
    }
  });
});
