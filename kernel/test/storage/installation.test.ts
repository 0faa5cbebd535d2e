import { spawnSync } from "node:child_process";
import { cp, readdir, readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { definePlugin, defineRoute, rawMigration } from "@longbox/sdk";
import { needsSqliteFiles } from "@longbox/test/needs";
import { describe, expect, it, vi } from "vitest";
import { backUpFolder, restoreBackup } from "../../dist/backup/index.js";
import { keepingLog, temporaryFolder } from "./storage-folder.js";

const program = fileURLToPath(import.meta.resolve("@longbox/kernel").replace(/index\.js$/, "bin/longbox.js"));
const table = ["create table visit (id integer primary key)"];

/** Counts its visits. */
const diary = (id: string) => ({
  manifest: { id, title: id, description: "", sdk: "^1.0.0" },
  plugin: definePlugin({
    migrations: [rawMigration("0001", { sqlite: table, postgres: table, reason: "a test" })],
    activate(_, context) {
      const database = context.storage.database<any>();
      context.routes([
        defineRoute({
          method: "POST",
          path: `/api/${id}`,
          access: "viewer",
          summary: "Counts",
          handle: async () => {
            await database.insertInto("visit").defaultValues().execute();
            return (await database.selectFrom("visit").selectAll().execute()).length;
          },
        }),
      ]);
    },
  }),
});

const accounts = "kernel";
const north = "plugins/data/north/1";
const code = (name: string) => expect.objectContaining({ code: `kernel/${name}` });

/** A host that is let start although a plugin fails. */
async function start(dataFolder: string): Promise<KernelTestHost> {
  const host = await startKernelTestHost({ storage: "sqlite", dataFolder });
  for (const { manifest, plugin } of [diary("north"), diary("south")])
    host.kernel.host.linkDefinition(manifest, plugin);
  await host.kernel.startPlugins();
  return host;
}

const visit = async (host: KernelTestHost, id: string) => (await host.as("viewer").post(`/api/${id}`)).body;

/** A data folder in which a server ran twice; `earlier` is a copy of it between the two. */
async function usedFolder() {
  const folder = await temporaryFolder();
  const [data, earlier] = [join(folder.path, "data"), join(folder.path, "earlier")];
  for (const count of [1, 2]) {
    await using host = await start(data);
    expect([await visit(host, "north"), await visit(host, "south")]).toEqual([count, count]);
    await host.stop();
    if (count === 1) await cp(data, earlier, { recursive: true });
  }
  return { data, earlier, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** What can be done to one database of an installation. */
const harms: Record<string, (data: string, place: string, earlier: string) => Promise<void>> = {
  missing: (data, place) => rm(join(data, place, "database.sqlite")),
  empty: (data, place) => truncate(join(data, place, "database.sqlite")),
  older: (data, place, earlier) => cp(join(earlier, place, "database.sqlite"), join(data, place, "database.sqlite")),
  foreign: async (data, place) => {
    await using other = await usedFolder();
    await cp(join(other.data, place, "database.sqlite"), join(data, place, "database.sqlite"));
  },
};

describe("an installation in files of SQLite", needsSqliteFiles, () => {
  it.each(Object.keys(harms))("does not start when its accounts are %s, and makes no new admin", async (harm) => {
    await using used = await usedFolder();
    await harms[harm]!(used.data, accounts, used.earlier);
    await expect(start(used.data)).rejects.toEqual(code(`database-${harm}`));
    await expect(start(used.data)).rejects.toThrow(/accounts.*longbox restore/);
  });

  it.each(Object.keys(harms))(
    "starts without the plugin whose database is %s, and says how to restore it",
    async (harm) => {
      await using used = await usedFolder();
      await harms[harm]!(used.data, north, used.earlier);
      await using host = await start(used.data);
      expect(host.kernel.host.row("north")).toMatchObject({
        state: "failed",
        reason: expect.stringMatching(/"north".*longbox restore/),
      });
      expect(await visit(host, "south")).toBe(3);
    },
  );

  it("writes nothing to a database that is only opened, and recognises an older copy of it afterwards", async () => {
    await using used = await usedFolder();
    const bytes = () => readFile(join(used.data, north, "database.sqlite"));
    const before = await bytes();
    {
      await using host = await start(used.data);
      expect(await visit(host, "south")).toBe(3);
      await host.stop();
    }
    expect(before.equals(await bytes())).toBe(true);
    await harms["older"]!(used.data, north, used.earlier);
    await using host = await start(used.data);
    expect(host.kernel.host.row("north")).toMatchObject({ state: "failed", reason: expect.stringContaining("older") });
  });

  it("recognises a copy from before the last writing, though the server was killed after it", async () => {
    await using used = await usedFolder();
    const killed = join(used.earlier, "..", "killed");
    {
      await using host = await start(used.data);
      expect(await visit(host, "north")).toBe(3);
      const counted = async () =>
        JSON.parse(await readFile(join(used.data, "installation.json"), "utf8")).databases[north];
      await vi.waitFor(async () => expect(await counted()).toBe(3));
      // What a kill leaves behind: the files as they are now.
      await cp(used.data, killed, { recursive: true });
      await host.stop();
    }
    await rm(join(killed, "lock.sqlite"), { force: true });
    await cp(join(used.earlier, north, "database.sqlite"), join(killed, north, "database.sqlite"));
    await rm(join(killed, north, "database.sqlite-wal"), { force: true });
    await rm(join(killed, north, "database.sqlite-shm"), { force: true });
    await using host = await start(killed);
    expect(host.kernel.host.row("north")).toMatchObject({ state: "failed", reason: expect.stringContaining("older") });
  });

  it("knows without its marker that there were accounts, by the plugins' data", async () => {
    await using used = await usedFolder();
    await rm(join(used.data, "installation.json"));
    await rm(join(used.data, accounts), { recursive: true });
    await expect(start(used.data)).rejects.toEqual(code("database-missing"));
    await expect(start(used.data)).rejects.toEqual(code("database-missing"));
  });

  it("makes its marker again from the accounts' database", async () => {
    await using used = await usedFolder();
    await rm(join(used.data, "installation.json"));
    await using host = await start(used.data);
    expect([await visit(host, "north"), await visit(host, "south")]).toEqual([3, 3]);
    expect(await readdir(used.data)).toContain("installation.json");
  });

  it("takes the databases as they are once an admin has said so", async () => {
    await using used = await usedFolder();
    await harms["older"]!(used.data, north, used.earlier);
    await rm(join(used.data, accounts), { recursive: true });
    const accepted = spawnSync(process.execPath, [program, "accept"], {
      env: { ...process.env, LONGBOX_DATA: used.data },
    });
    expect(accepted.stderr.toString()).toContain("plugins/data/north/1");
    await using host = await start(used.data);
    expect([await visit(host, "north"), await visit(host, "south")]).toEqual([2, 3]);
  });

  it("is itself again after a backup of it is restored, and forgets a plugin whose data was deleted", async () => {
    await using used = await usedFolder();
    const [archive, restored] = [join(used.earlier, "backup.tar.gz"), join(used.earlier, "restored")];
    await backUpFolder(used.data, archive, { log: keepingLog(), version: "1.0.0", storage: "sqlite" });
    await restoreBackup(archive, restored);
    {
      await using host = await start(restored);
      expect([await visit(host, "north"), await visit(host, "south")]).toEqual([3, 3]);
    }
    {
      await using host = await startKernelTestHost({ storage: "sqlite", dataFolder: restored });
      await rm(join(restored, "plugins/data/north"), { recursive: true });
      await host.kernel.stores.storing.purge("north");
    }
    await using host = await start(restored);
    expect([await visit(host, "north"), await visit(host, "south")]).toEqual([1, 4]);
  });

  it("does not guess which state of a plugin's data counts when that is not written down any more", async () => {
    await using used = await usedFolder();
    await cp(join(used.data, north), join(used.data, "plugins/data/north/2"), { recursive: true });
    await using host = await start(used.data);
    expect(host.kernel.host.row("north")).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("current.json"),
    });
    expect((await readdir(join(used.data, "plugins/data/north"))).sort()).toEqual(["1", "2"]);
    expect(await visit(host, "south")).toBe(3);
  });
});
