// What an interruption leaves behind is removed, on each engine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { needsPostgres, startPostgres } from "@longbox/test/postgres";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Storing } from "../../dist/storage/index.js";
import { PostgresStoring } from "../../dist/storage/owners/postgres-storing.js";
import { driversWithNeeds, keepingLog, openStoring, temporaryFolder } from "./storage-folder.js";

const child = fileURLToPath(new URL("./writing-child.mjs", import.meta.url));

/** Opens the database of a plugin, and so makes it. */
async function openShelves(storing: Storing) {
  const storage = await storing.open("shelves");
  await sql`select 1`.execute(storage.database());
  return storage;
}

/** The schemas of an installation, without what their names begin with. */
async function schemasOf(folder: string, storing: Storing): Promise<string[]> {
  const { prefix } = JSON.parse(await readFile(join(folder, "database.json"), "utf8")) as { prefix: string };
  const kernel = await storing.open("kernel");
  const names = sql<{ name: string }>`select nspname as name from pg_namespace order by 1`;
  const { rows } = await names.execute(kernel.database());
  await kernel.release();
  return rows.flatMap(({ name }) => (name.startsWith(`${prefix}_`) ? name.slice(prefix.length + 1) : []));
}

describe.each(driversWithNeeds)("leftovers of an interruption with %s", (driver, needs) => {
  it("are removed at the next start, be they a state that is not kept or half of a file", needs, async () => {
    await using opened = await openStoring(driver);
    await openShelves(opened.storing);
    const root = join(opened.folder, "plugins/data/shelves");
    const adopted = await opened.storing.trial("shelves");
    await adopted.adopt();
    await adopted.storage.release();
    // An interruption of the trial that came next.
    await mkdir(join(root, "3"));
    await writeFile(join(root, ".current.json.b8663d3c-a63a-4747-a05f-f2b368bd601e.new"), "{");
    await openShelves(await opened.reopen());
    expect(opened.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    expect((await readdir(root)).sort()).toEqual(["1", "2", "current.json"]);
  });

  it("of a purge are removed at the next start, and the plugin begins with nothing", needs, async () => {
    await using opened = await openStoring(driver);
    const storage = await openShelves(opened.storing);
    await sql`create table shelf (name text)`.execute(storage.database());
    const data = join(opened.folder, "plugins/data");
    await opened.storing.release();
    // A purge begins with this, and may end with it.
    await rename(join(data, "shelves"), join(data, ".gone-shelves.b8663d3c-a63a-4747-a05f-f2b368bd601e"));
    const storing = await opened.reopen();
    await (await storing.open("kernel")).release();
    expect(await readdir(data)).toEqual([]);
    const again = await openShelves(storing);
    await sql`create table shelf (name text)`.execute(again.database());
  });
});

describe("a server with PostgreSQL that was killed", needsPostgres, () => {
  it("leaves no statement running after the next start, which ends none of other processes", async () => {
    await using server = await startPostgres();
    await using folder = await temporaryFolder();
    const writer = spawn(process.execPath, [child, folder.path, "linger", server.url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface({ input: writer.stdout })) if (line === "row 1") break;
    const options = { folder: folder.path, log: keepingLog() };
    const beside = new PostgresStoring({ ...options, shared: true }, server.url);
    const backup = await beside.open("shelves");
    const reading = await backup.database<any>().startTransaction().execute();
    await reading.selectFrom("written").selectAll().execute();
    writer.kill("SIGKILL");
    await once(writer, "exit");
    const storing = new PostgresStoring(options, server.url);
    const storage = await storing.open("shelves");
    // The statement that was left holds this number.
    await storage.database<any>().insertInto("written").values({ number: 1, half: 2 }).execute();
    expect(await reading.selectFrom("written").select("half").execute()).toEqual([{ half: 2 }]);
    await reading.commit().execute();
    await storing.release();
    await beside.release();
  });
});

describe("data that PostgreSQL could not drop", needsPostgres, () => {
  it("are dropped once it is back, by the server that gave them up or the next one", async () => {
    await using server = await startPostgres();
    await using folder = await temporaryFolder();
    const open = () => new PostgresStoring({ folder: folder.path, log: keepingLog() }, server.url);
    for (const next of ["same", "other"]) {
      let storing = open();
      await (await openShelves(storing)).release();
      const trial = await storing.trial("shelves");
      await trial.adopt();
      await trial.storage.release();
      expect(await schemasOf(folder.path, storing)).toEqual(["kernel", "shelves_1", "shelves_2"]);
      await server.stop();
      await expect(storing.purge("shelves")).rejects.toMatchObject({ code: "kernel/database-away" });
      await server.start();
      if (next === "other") {
        await storing.release();
        storing = open();
      }
      expect(await storing.exists("shelves")).toBe(false);
      expect(await schemasOf(folder.path, storing)).toEqual(["kernel"]);
      await storing.release();
    }
  });
});
