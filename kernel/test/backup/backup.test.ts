import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { migration } from "@longbox/sdk";
import { sql } from "kysely";
import { create as createTar, extract } from "tar";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { backUpFolder, Backups, backupSettings, outdated, restoreBackup } from "../../dist/backup/index.js";
import { Settings } from "../../dist/settings/index.js";
import { findFlawedDatabase, SqliteStoring, type Storing } from "../../dist/storage/index.js";
import { keepingLog, openStoring, temporaryFolder } from "../storage/storage-folder.js";

const steps = [
  migration("0001", async ({ schema, types }) => {
    await schema
      .createTable("entry")
      .addColumn("number", types.id, (column) => column.primaryKey())
      .addColumn("text", types.text, (column) => column.notNull())
      .execute();
  }),
];

async function openServer(driver: "sqlite" | "memory" = "sqlite") {
  const opened = await openStoring(driver);
  const settings = await Settings.open({ folder: opened.folder, log: opened.log });
  const backups = new Backups({
    folder: opened.folder,
    storing: opened.storing,
    settings: settings.open("backup", backupSettings),
    log: opened.log,
    version: "1.2.3",
  });
  return { ...opened, settings, backups, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

async function fill(storing: Storing, owner: string) {
  const storage = await storing.open(owner);
  await storage.migrate(steps);
  await sql`insert into entry values (1, ${`by ${owner}`})`.execute(storage.database());
  await (
    await storage.document("note", z.object({ text: z.string().default("") }))
  ).update(() => ({ text: `note of ${owner}` }));
  await writeFile(join(storage.folder, "kept.txt"), `file of ${owner}`);
  await (await storage.cache("thumbnails", { maxBytes: 1e6 })).fetch("k", async () => Buffer.from("can be made again"));
  return storage;
}

describe("a backup", () => {
  it.each(["sqlite", "memory"] as const)(
    "restores databases, documents, files, settings and packages into a new folder (%s)",
    async (driver) => {
      await using server = await openServer(driver);
      await using other = await temporaryFolder();
      for (const owner of ["kernel", "shelves", "reader"]) await fill(server.storing, owner);
      await server.settings.update({ backup: { keep: 3 } });
      await writeFile(join(server.folder, "plugins.lock.json"), '{"plugins":[]}');
      await mkdir(join(server.folder, "plugins/store/shelves@1.0.0-abc"), { recursive: true });
      await writeFile(join(server.folder, "plugins/store/shelves@1.0.0-abc/package.json"), "{}");
      const backup = await server.backups.create();
      expect(await server.backups.list()).toEqual([backup]);
      expect((await stat(join(server.backups.folder, backup.name))).mode & 0o777).toBe(0o600);

      const target = join(other.path, "new");
      const manifest = await restoreBackup(join(server.backups.folder, backup.name), target);
      expect(manifest).toMatchObject({ version: "1.2.3", owners: ["kernel", "reader", "shelves"] });
      expect((await readdir(target)).sort()).toEqual(["kernel", "plugins", "plugins.lock.json", "settings.json"]);
      const restored = new SqliteStoring({ folder: target, log: keepingLog() });
      try {
        for (const owner of ["kernel", "shelves", "reader"]) {
          const storage = await restored.open(owner);
          await storage.migrate(steps);
          expect((await sql`select * from entry`.execute(storage.database())).rows).toEqual([
            { number: 1, text: `by ${owner}` },
          ]);
          expect((await storage.document("note", z.object({ text: z.string() }).default({ text: "" }))).read()).toEqual(
            { text: `note of ${owner}` },
          );
          expect(await readFile(join(storage.folder, "kept.txt"), "utf8")).toBe(`file of ${owner}`);
        }
      } finally {
        await restored.release();
      }
      expect(
        (await Settings.open({ folder: target, log: keepingLog() })).open("backup", backupSettings).current,
      ).toEqual({ keep: 3, keepDays: 0 });
      expect(await readFile(join(target, "plugins/store/shelves@1.0.0-abc/package.json"), "utf8")).toBe("{}");
    },
  );

  it(
    "is of one instant across all owners while they are being written to, and fails no write",
    { timeout: 240_000 },
    async () => {
      await using server = await openServer();
      await using other = await temporaryFolder();
      const storages = await Promise.all(["kernel", "reader", "shelves"].map((owner) => server.storing.open(owner)));
      for (const storage of storages) await storage.migrate(steps);
      let writing = true;
      let written = 0;
      const writer = (async () => {
        while (writing) {
          written += 1;
          await new Promise((resolve) => setImmediate(resolve));
          // Each number reaches the owners one after the other, and the last one from inside a transaction of the
          // first.
          const [kernel, reader, shelves] = storages;
          await sql`insert into entry values (${written}, 'x')`.execute(kernel!.database());
          await reader!
            .database<any>()
            .transaction()
            .execute(async (transaction) => {
              await sql`insert into entry values (${written}, 'x')`.execute(transaction);
              await sql`insert into entry values (${written}, 'x')`.execute(shelves!.database());
            });
        }
      })();
      const archives: string[] = [];
      for (let round = 0; round < 2; round += 1) {
        const path = join(other.path, `${round}.tar.gz`);
        await server.backups.createAt(path);
        archives.push(path);
      }
      writing = false;
      await writer;
      let last = 0;
      for (const [round, archive] of archives.entries()) {
        const target = join(other.path, `restored-${round}`);
        await restoreBackup(archive, target);
        const restored = new SqliteStoring({ folder: target, log: keepingLog() });
        const count = async (owner: string) =>
          (await sql<{ n: number }>`select count(*) as n from entry`.execute((await restored.open(owner)).database()))
            .rows[0]?.n ?? 0;
        const [kernel, reader, shelves] = [await count("kernel"), await count("reader"), await count("shelves")];
        await restored.release();
        expect([kernel, kernel - 1]).toContain(reader);
        expect([reader, reader + 1]).toContain(shelves);
        expect(kernel).toBeGreaterThanOrEqual(last);
        last = kernel;
      }
      expect(written).toBeGreaterThan(last);
    },
  );

  it("keeps as many as the settings say, the newest, and nothing else", async () => {
    await using server = await openServer();
    await server.settings.update({ backup: { keep: 2 } });
    const made = [];
    for (let round = 0; round < 4; round += 1) made.push((await server.backups.create()).name);
    expect((await server.backups.list()).map((each) => each.name)).toEqual([made[3], made[2]]);
    expect((await readdir(server.backups.folder)).length).toBe(2);
  });

  it("is dropped when it is older than the settings say, but never the newest", async () => {
    await using server = await openServer();
    await server.settings.update({ backup: { keep: 10, keepDays: 5 } });
    const made = [];
    for (let round = 0; round < 3; round += 1) made.push((await server.backups.create()).name);
    const age = async (name: string, days: number) => {
      const then = new Date(Date.now() - days * 86_400_000);
      await utimes(join(server.backups.folder, name), then, then);
    };
    await age(made[0]!, 6);
    await age(made[1]!, 4);
    made.push((await server.backups.create()).name);
    expect((await server.backups.list()).map((each) => each.name).sort()).toEqual([made[1], made[2], made[3]].sort());
    for (const name of made.slice(1)) await age(name, 30);
    const [newest] = outdated(await server.backups.list(), { keep: 10, keepDays: 5 });
    expect((await server.backups.list()).findIndex(({ name }) => name === newest!.name)).toBe(1);
  });

  it("that cannot be restored is not kept, and drops no older one", async () => {
    await using server = await openServer();
    await fill(server.storing, "shelves");
    await server.settings.update({ backup: { keep: 1 } });
    const { name } = await server.backups.create();
    const snapshot = server.storing.snapshot.bind(server.storing);
    server.storing.snapshot = async () => {
      const whole = await snapshot();
      const copyTo = async (folder: string) => {
        await whole.copyTo(folder);
        const path = join(folder, "plugins/data/shelves/1/database.sqlite");
        const bytes = await readFile(path);
        await writeFile(path, bytes.fill(0xa5, 4096));
      };
      return { owners: whole.owners, copyTo, release: () => whole.release() };
    };
    await expect(server.backups.create()).rejects.toMatchObject({ kind: "internal", code: "kernel/backup-not-whole" });
    expect(await readdir(server.backups.folder)).toEqual([name]);
  });

  it("can be checked later, which finds a bit that has changed on the disk", async () => {
    await using server = await openServer();
    await fill(server.storing, "shelves");
    const { name } = await server.backups.create();
    expect(await server.backups.check(name)).toMatchObject({ version: "1.2.3", owners: ["kernel", "shelves"] });
    const path = join(server.backups.folder, name);
    const bytes = await readFile(path);
    bytes[Math.floor(bytes.byteLength / 2)]! ^= 1;
    await writeFile(path, bytes);
    await expect(server.backups.check(name)).rejects.toMatchObject({ code: "kernel/backup-damaged" });
    expect(await readdir(server.backups.folder)).toEqual([name]);
  });

  it("keeps this thread free while its databases are checked", async () => {
    await using server = await openServer();
    const storage = await fill(server.storing, "shelves");
    await sql`
      with recursive number (value) as (select 2 union all select value + 1 from number where value < 200000)
      insert into entry select value, 'entry ' || value from number`.execute(storage.database());
    await storage.release();
    const path = join(server.folder, "plugins/data/shelves/1/database.sqlite");
    const before = performance.eventLoopUtilization();
    expect(await findFlawedDatabase([path])).toBeUndefined();
    // Half of the time would be much for starting a thread; the check by itself would be all of it.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
    await writeFile(path, (await readFile(path)).subarray(0, 1_000_000));
    expect(await findFlawedDatabase([path])).toMatchObject({ path, flaw: expect.stringMatching(/./) });
  });

  it("can be made of a folder on which another process serves", async () => {
    await using server = await openServer();
    await using other = await temporaryFolder();
    const storage = await fill(server.storing, "shelves");
    const trial = await server.storing.trial("shelves");
    const archive = join(other.path, "outside.tar.gz");
    await backUpFolder(server.folder, archive, { log: keepingLog(), version: "1.2.3", storage: "sqlite" });
    await trial.adopt();
    await storage.release();
    const manifest = await restoreBackup(archive, join(other.path, "new"));
    expect(manifest.files.map((file) => file.path)).toContain("plugins/data/shelves/1/database.sqlite");
    await expect(
      backUpFolder(join(other.path, "none"), archive, { log: keepingLog(), version: "1", storage: "sqlite" }),
    ).rejects.toMatchObject({ code: "kernel/no-data-folder" });
  });

  it("is made one at a time", async () => {
    await using server = await openServer();
    const both = await Promise.allSettled([server.backups.create(), server.backups.create()]);
    expect(both.map((each) => each.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((each) => each.status === "rejected")).toMatchObject({
      reason: { kind: "conflict", code: "kernel/backup-running" },
    });
  });
});

describe("a restore", () => {
  it("never writes over what is there", async () => {
    await using server = await openServer();
    await using other = await temporaryFolder();
    const { name } = await server.backups.create();
    await writeFile(join(other.path, "mine"), "mine");
    await expect(restoreBackup(join(server.backups.folder, name), other.path)).rejects.toMatchObject({
      code: "kernel/restore-target-not-empty",
    });
    expect(await readdir(other.path)).toEqual(["mine"]);
  });

  it("says that there is no such file", async () => {
    await using other = await temporaryFolder();
    await expect(restoreBackup(join(other.path, "none.tar.gz"), join(other.path, "new"))).rejects.toMatchObject({
      kind: "bad-input",
    });
    expect(await readdir(other.path)).toEqual([]);
  });

  it.each(["cut short", "one bit changed", "a file missing", "a file too many", "a database damaged", "a link inside"])(
    "refuses a backup with %s, and leaves nothing behind",
    async (flaw) => {
      await using server = await openServer();
      await using other = await temporaryFolder();
      await fill(server.storing, "shelves");
      const { name } = await server.backups.create();
      const archive = await damage(join(server.backups.folder, name), flaw, other.path);
      await expect(restoreBackup(archive, join(other.path, "new"))).rejects.toMatchObject({
        kind: "bad-input",
        code: "kernel/backup-damaged",
      });
      expect((await readdir(other.path)).sort()).toEqual(["damaged.tar.gz", "unpacked"]);
      expect(existsSync(join(other.path, "outside"))).toBe(false);
    },
  );
});

/** A copy of the archive with a flaw, packed again beside a folder of its contents. */
async function damage(path: string, flaw: string, folder: string): Promise<string> {
  const unpacked = join(folder, "unpacked");
  const damaged = join(folder, "damaged.tar.gz");
  await mkdir(unpacked);
  await extract({ file: path, cwd: unpacked });
  const database = "plugins/data/shelves/1/database.sqlite";
  const manifest = JSON.parse(await readFile(join(unpacked, "backup.json"), "utf8")) as {
    files: Array<{ path: string; sha256: string }>;
  };
  if (flaw === "a file missing") manifest.files.push({ ...manifest.files[0]!, path: "kernel/gone.json" });
  if (flaw === "a file too many") await writeFile(join(unpacked, "kernel/extra"), "extra");
  if (flaw === "a link inside") await symlink("/etc", join(unpacked, "kernel/link"));
  if (flaw === "a database damaged") {
    const bytes = await readFile(join(unpacked, database));
    bytes.fill(0xa5, 4096);
    await writeFile(join(unpacked, database), bytes);
    for (const file of manifest.files)
      if (file.path === database) file.sha256 = createHash("sha256").update(bytes).digest("hex");
  }
  await writeFile(join(unpacked, "backup.json"), JSON.stringify(manifest));
  await createTar({ cwd: unpacked, gzip: true, file: damaged }, await readdir(unpacked));
  const bytes = await readFile(path);
  if (flaw === "cut short") await writeFile(damaged, bytes.subarray(0, bytes.byteLength - 200));
  if (flaw === "one bit changed") {
    bytes[Math.floor(bytes.byteLength / 2)]! ^= 1;
    await writeFile(damaged, bytes);
  }
  return damaged;
}
