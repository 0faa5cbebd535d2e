import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { needsSqliteFiles } from "@longbox/test/needs";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SqliteStoring } from "../../dist/storage/index.js";
import { Program } from "../plugins/program.js";
import { keepingLog, temporaryFolder } from "./storage-folder.js";

const program = fileURLToPath(import.meta.resolve("@longbox/kernel").replace(/index\.js$/, "bin/longbox.js"));

/** A data folder in which a server ran that has one account. */
async function usedFolder() {
  const folder = await temporaryFolder();
  await using server = await Program.start({ LONGBOX_DATA: folder.path });
  await server.admin.post("/api/auth/register", { username: "ann", password: "correct horse" });
  await server.admin.post("/api/auth/login", { username: "ann", password: "correct horse" });
  return folder;
}

/** Starts the server where it cannot start. @returns its exit code and what it said, once it has ended */
async function failToStart(folder: string): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, LONGBOX_PORT: "0", LONGBOX_DATA: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = text(child.stderr);
  const [code] = await once(child, "exit");
  return { code: code as number, said: await said };
}

describe("a server that cannot read its data", () => {
  it("names the damaged file of SQLite, ends, and leaves the file as it is", needsSqliteFiles, async () => {
    await using folder = await usedFolder();
    const database = join(folder.path, "kernel", "database.sqlite");
    for (const name of await readdir(join(folder.path, "kernel")))
      if (/-(wal|shm)$/.test(name)) await rm(join(folder.path, "kernel", name));
    const whole = await readFile(database);
    const damaged = Buffer.concat([Buffer.alloc(200, "damage"), whole.subarray(200)]);
    await writeFile(database, damaged);
    const { code, said } = await failToStart(folder.path);
    expect([code, said.includes("damaged"), said.includes(database)]).toEqual([1, true, true]);
    expect((await readFile(database)).equals(damaged)).toBe(true);
    await writeFile(database, whole);
    await using again = await Program.start({ LONGBOX_DATA: folder.path });
    expect((await again.admin.post("/api/auth/login", { username: "ann", password: "correct horse" })).status).toBe(
      200,
    );
  });

  it("names the settings that it may not read, ends, and leaves them as they are", async () => {
    await using folder = await usedFolder();
    const settings = join(folder.path, "settings.json");
    await rm(settings, { force: true });
    await mkdir(settings);
    const other = await failToStart(folder.path);
    expect([other.code, other.said.includes("left as it is"), other.said.includes(settings)]).toEqual([1, true, true]);
    await rm(settings, { recursive: true });
    await using again = await Program.start({ LONGBOX_DATA: folder.path });
    expect((await again.admin.post("/api/auth/login", { username: "ann", password: "correct horse" })).status).toBe(
      200,
    );
  });

  it("starts with the settings and the plugins that can be read, and says what it kept aside", async () => {
    await using folder = await usedFolder();
    for (const name of ["settings.json", "plugins.lock.json"]) await writeFile(join(folder.path, name), '{"server":');
    await using server = await Program.start({ LONGBOX_DATA: folder.path });
    expect((await server.admin.get("/healthz")).status).toBe(200);
    const kept = (await readdir(folder.path))
      .filter((name) => name.includes(".unreadable-"))
      .map((name) => name.split(".unreadable-")[0]);
    expect(kept.sort()).toEqual(["plugins.lock.json", "settings.json"]);
    expect(server.log.filter((line) => line.includes("It was kept aside"))).toHaveLength(2);
  });
});

it("a disk that cannot be written to fails writes with an error that says so, goes on reading, and recovers by itself", async (context) => {
  await using folder = await temporaryFolder();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", folder.path]).status !== 0)
    return context.skip("this process may not mount a file system");
  const storing = new SqliteStoring({ folder: folder.path, log: keepingLog() });
  // A file system with a file that is open for writing cannot be made read-only; the bind mount over it can.
  try {
    const storage = await storing.open("shelves");
    const document = await storage.document("note", z.object({ text: z.string().default("") }));
    await document.update(() => ({ text: "before" }));
    await sql`create table page (id integer primary key)`.execute(storage.database());
    const inside = join(folder.path, "plugins");
    spawnSync("mount", ["--bind", folder.path, folder.path]);
    spawnSync("mount", ["-o", "remount,bind,ro", folder.path]);
    expect((await readdir(inside)).length).toBeGreaterThan(0);
    await expect(document.update(() => ({ text: "after" }))).rejects.toMatchObject({
      kind: "unavailable",
      code: "kernel/storage-not-writable",
    });
    expect(document.read()).toEqual({ text: "before" });
    expect((await sql`select count(*) as n from page`.execute(storage.database())).rows).toEqual([{ n: 0 }]);
    spawnSync("umount", [folder.path]);
    await document.update(() => ({ text: "after" }));
    expect(document.read()).toEqual({ text: "after" });
  } finally {
    await storing.release();
    spawnSync("umount", [folder.path]);
  }
});
