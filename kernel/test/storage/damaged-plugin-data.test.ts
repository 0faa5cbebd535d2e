import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { KernelLogs } from "@longbox/sdk";
import { needsSqliteFiles } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restoreBackup } from "../../dist/backup/index.js";
import { Bench, install, type TinyPlugin } from "../plugins/support.js";
import { temporaryFolder } from "./storage-folder.js";

/** A plugin that writes down each visit. */
const diary = (id: string): TinyPlugin => ({
  id,
  fields: `migrations: [statements("0001", ["create table visit (id integer primary key, said text)"])]`,
  activate: `const database = context.storage.database();
    const count = async () => ({ visits: (await database.selectFrom("visit").selectAll().execute()).length });
    context.routes([
      defineRoute({ method: "GET", path: "/api/${id}", summary: "counts", handle: count }),
      defineRoute({ method: "POST", path: "/api/${id}", access: "viewer", summary: "adds some", handle: async () => {
        await database.insertInto("visit").values(Array.from({ length: 200 }, () => ({ said: "hello ".repeat(20) }))).execute();
        return count();
      } })]);`,
});

const open = (dataFolder: string) => startKernelTestHost({ storage: "sqlite", dataFolder });
const visits = async (host: KernelTestHost, id: string) => (await host.as("viewer").get(`/api/${id}`)).body;

/**
 * A data folder in which both plugins have written, a backup of it, and what becomes of it with other bytes in the
 * database of one.
 * @param intact - How many bytes at the beginning are not damaged
 */
async function withDamage(
  damage: (whole: Buffer) => Buffer,
  test: (host: KernelTestHost, database: string) => Promise<void>,
  intact = 0,
): Promise<void> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, "data");
  let backup: string;
  {
    await using host = await bench.host({ dataFolder: data });
    for (const id of ["north", "south"]) {
      await install(host, `@longbox-test/${id}`);
      expect((await host.as("viewer").post(`/api/${id}`)).body).toEqual({ visits: 200 });
    }
    backup = (await host.as("admin").post("/api/backup")).body.name;
  }
  const folderOfNorth = join(data, "plugins/data/north");
  const names = await readdir(folderOfNorth, { recursive: true });
  const [database = ""] = names
    .filter((name) => name.endsWith("database.sqlite"))
    .map((name) => join(folderOfNorth, name));
  for (const name of names) if (/-(wal|shm)$/.test(name)) await rm(join(folderOfNorth, name));
  const damaged = damage(await readFile(database));
  await writeFile(database, damaged);
  {
    await using host = await open(data);
    await test(host, database);
    // All others go on, and the server can still be looked after.
    expect((await host.as("viewer").get("/healthz")).status).toBe(200);
    expect((await host.as("viewer").post("/api/south")).body).toEqual({ visits: 400 });
    expect((await host.as("admin").get("/api/plugins/south")).body.state).toBe("active");
  }
  // What can still be opened is marked as opened, in its first pages; nothing else is written.
  expect((await readFile(database)).subarray(intact).equals(damaged.subarray(intact))).toBe(true);
  await restoreBackup(join(data, "backups", backup), join(folder.path, "restored"));
  await using host = await open(join(folder.path, "restored"));
  expect([await visits(host, "north"), await visits(host, "south")]).toEqual([{ visits: 200 }, { visits: 200 }]);
}

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  for (const id of ["north", "south"]) await bench.publish(diary(id));
});
afterAll(() => bench[Symbol.asyncDispose]());

describe("a plugin whose database file is damaged", needsSqliteFiles, () => {
  it("is failed and says so, its file stays as it is, the others go on, and a backup brings it back", async () => {
    await withDamage(
      (whole) => Buffer.alloc(whole.length, "garbage "),
      async (host, database) => {
        expect((await host.as("admin").get("/api/plugins/north")).body).toMatchObject({
          state: "failed",
          enabled: true,
          reason: expect.stringMatching(/A database file is damaged\. It was left as it is; restore a backup\./),
        });
        expect((await host.as("viewer").get("/api/north")).status).toBe(404);
        const { body: again } = await host.as("admin").post("/api/plugins/north/enabled", { enabled: true });
        expect(again).toMatchObject({ state: "failed", reason: expect.stringContaining("damaged") });
        expect(JSON.stringify((await host.use(KernelLogs).list()).lines)).toContain(database);
      },
    );
  });

  it("answers that it cannot, where only some of it is damaged", async () => {
    // The schema, the migrations and the mark of the installation.
    const intact = 4 * 4096;
    await withDamage(
      (whole) => Buffer.concat([whole.subarray(0, intact), Buffer.alloc(whole.length - intact, 0xa5)]),
      async (host) => {
        expect((await host.as("admin").get("/api/plugins/north")).body.state).toBe("active");
        expect(await host.as("viewer").get("/api/north")).toMatchObject({
          status: 500,
          body: { code: "kernel/database-unreadable", error: expect.stringContaining("restore a backup") },
        });
      },
      intact,
    );
  });
});
