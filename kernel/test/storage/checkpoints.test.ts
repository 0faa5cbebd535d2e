import { access, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { openStoring } from "./storage-folder.js";

const pageBytes = 4_096;
/** From so many pages in the log, a thread writes them to the database. */
const duePages = 4_000;
/** From so many, the commit itself does. */
const mostLogPages = 16_000;

/** Takes some seconds. */
const slowly = sql`with recursive count(n) as (select 1 union all select n + 1 from count where n < 50000000)
  select max(n) from count`;

async function openShelves() {
  const opened = await openStoring("sqlite");
  const storage = await opened.storing.open("shelves");
  const other = await opened.storing.open("collection");
  const database = storage.database();
  await sql`create table blank (pages blob)`.execute(database);
  const folder = join(opened.folder, "plugins", "data", "shelves");
  const path = join(folder, "1", "database.sqlite");
  return {
    storage,
    other,
    folder,
    path,
    log: opened.log,
    write: (pages: number) => sql`insert into blank values (zeroblob(${pages * pageBytes}))`.execute(database),
    sizeOf: async (file: string) => (await stat(file).catch(() => undefined))?.size ?? 0,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

describe("the log of an open database", () => {
  it("is written to the database before a commit has to do so", async () => {
    await using shelves = await openShelves();
    const perCommit = 500;
    for (let pages = 0; pages <= duePages; pages += perCommit) await shelves.write(perCommit);
    await vi.waitFor(async () => expect(await shelves.sizeOf(shelves.path)).toBeGreaterThan(duePages * pageBytes), {
      timeout: 10_000,
    });
  });

  it("does not grow without end while one commit follows the other", async () => {
    await using shelves = await openShelves();
    for (let commit = 0; commit < 60; commit += 1) await shelves.write(500);
    expect(await shelves.sizeOf(`${shelves.path}-wal`)).toBeLessThan((mostLogPages + 2_000) * pageBytes);
  });

  it("stays where the database cannot be written, which is told, and no other is made in its place", async () => {
    await using shelves = await openShelves();
    await rename(shelves.path, `${shelves.path}-away`);
    await shelves.write(duePages + 100);
    await vi.waitFor(() =>
      expect(shelves.log.lines).toMatchObject([
        { level: "warn", message: expect.stringContaining("The log of a database"), fields: { path: shelves.path } },
      ]),
    );
    await expect(access(shelves.path)).rejects.toMatchObject({ code: "ENOENT" });
    await rename(`${shelves.path}-away`, shelves.path);
  });

  it("does not wait for threads that have much to read, and neither does closing the database", async () => {
    await using shelves = await openShelves();
    const given = new AbortController();
    const reading = [1, 2, 3].map(() => slowly.execute(shelves.other.reader(), { signal: given.signal }));
    reading.forEach((each) => each.catch(() => undefined));
    await shelves.write(duePages + 100);
    await shelves.storage.release();
    expect(await shelves.sizeOf(`${shelves.path}-wal`)).toBe(0);
    expect(await Promise.race([Promise.any(reading), "still reading"])).toBe("still reading");
    given.abort();
    await Promise.allSettled(reading);
  });

  it("is taken in whole, and lets go of its folder, when the database is closed in the middle", async () => {
    await using shelves = await openShelves();
    await shelves.write(duePages + 100);
    await shelves.storage.release();
    expect(await shelves.sizeOf(`${shelves.path}-wal`)).toBe(0);
    const moved = `${shelves.folder}-moved`;
    await rename(shelves.folder, moved);
    const copy = new DatabaseSync(join(moved, "1", "database.sqlite"), { readOnly: true });
    try {
      expect(copy.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
      expect(copy.prepare("select length(pages) as length from blank").get()).toEqual({
        length: (duePages + 100) * pageBytes,
      });
    } finally {
      copy.close();
    }
  });
});
