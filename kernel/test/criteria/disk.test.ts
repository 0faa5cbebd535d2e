// Criterion 9: a disk that is full or read-only at every write of an upgrade.
import { spawnSync } from "node:child_process";
import { mkdir, open, readdir, rm, statfs } from "node:fs/promises";
import path from "node:path";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bench, install, temporaryFolder, type TinyPlugin } from "../plugins/support.js";
import { tellFigures } from "./load.js";

const page = 4_096;
/** So many different amounts of free room are tried, evenly between none and enough: so many pages are between them. */
const [points, pagesBetween] = runsLongTests ? [60, 3] : [13, 7];

const roomy = (version: string, migrations: string): TinyPlugin => ({
  id: "roomy",
  version,
  fields: `migrations: [${migrations}]`,
  activate: `const database = context.storage.database();
    context.routes([defineRoute({ method: "GET", path: "/api/roomy", summary: "lists", handle: async () => ({ version: "${version}", notes: (await database.selectFrom("note").select("n").execute()).length }) }),
      defineRoute({ method: "POST", path: "/api/roomy", access: "viewer", summary: "adds", handle: async () => { await database.insertInto("note").values({ n: 1 }).execute(); return {}; } })]);`,
  // Many small files, each of which takes a page of the disk.
  files: Object.fromEntries(Array.from({ length: 24 }, (_, n) => [`lib/part${n}.js`, `export const part = ${n};`])),
});
const first = `statements("0001", ["CREATE TABLE note (n INTEGER)"])`;
const second = `statements("0002", ["ALTER TABLE note ADD COLUMN more TEXT NOT NULL DEFAULT 'x'", "CREATE TABLE other (n INTEGER)"])`;

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.publish(roomy("1.0.0", first));
  await bench.publish(roomy("2.0.0", `${first}, ${second}`));
});
afterAll(() => bench[Symbol.asyncDispose]());

const upgrade = (host: KernelTestHost) =>
  host.as("admin").post("/api/plugins/install", { name: "roomy", version: "2.0.0", accept: true });
const answer = async (host: KernelTestHost) => (await host.as("viewer").get("/api/roomy")).body;
const removeAll = async (host: KernelTestHost) =>
  expect((await host.as("admin").post("/api/plugins/uninstall", { name: "roomy", purge: true })).status).toBe(200);

async function freePages(folder: string): Promise<number> {
  return (await statfs(folder)).bavail;
}

/** Takes all room but so many pages. */
async function leavePages(folder: string, pages: number): Promise<void> {
  await using ballast = await open(path.join(folder, "ballast"), "w");
  while ((await freePages(folder)) > pages) {
    const less = Math.max(1, Math.min(256, (await freePages(folder)) - pages));
    await ballast.write(Buffer.alloc(less * page, 1));
  }
}

/** What was begun and given up leaves nothing: the same call succeeds as soon as there is room. */
async function expectOldVersion(host: KernelTestHost, notes: number): Promise<void> {
  expect(await answer(host)).toEqual({ version: "1.0.0", notes });
  expect((await host.as("admin").get("/api/plugins/roomy")).body).toMatchObject({ version: "1.0.0", state: "active" });
  expect(await readdir(path.join(host.dataFolder, "plugins", "staging"))).toEqual([]);
}

it(
  `criterion 9: at ${points} amounts of room that do not suffice, the old version serves on, the answer is 507, and the same call works once there is room`,
  { timeout: 900_000 },
  async (context) => {
    await using disk = await temporaryFolder();
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", disk.path]).status !== 0)
      return context.skip("this process may not mount a file system");
    try {
      await using host = await bench.host({ dataFolder: path.join(disk.path, "data") });
      await install(host, "@longbox-test/roomy", "1.0.0");
      expect((await host.as("viewer").post("/api/roomy")).status).toBe(200);
      const ballast = path.join(disk.path, "ballast");
      // What the whole upgrade takes at most, found by taking less and less away.
      const full: number[] = [];
      const passed: number[] = [];
      let pages = 0;
      for (let step = pagesBetween; full.length < points || passed.length === 0;) {
        await leavePages(disk.path, pages);
        const { status, body } = await upgrade(host);
        if (status === 200) {
          passed.push(pages);
          await rm(ballast);
          if (full.length >= points) break;
          // Too fast: what is between the last two is tried in smaller steps.
          await removeAll(host);
          await install(host, "@longbox-test/roomy", "1.0.0");
          expect((await host.as("viewer").post("/api/roomy")).status).toBe(200);
          step = Math.max(1, step >> 1);
          pages = 1 - (passed.length % 2);
        } else {
          expect([pages, status, body.code]).toEqual([pages, 507, "kernel/storage-full"]);
          await expectOldVersion(host, 1);
          full.push(pages);
          await rm(ballast);
          pages += step;
        }
      }
      tellFigures(
        `criterion 9: refused with ${full[0]} to ${Math.max(...full)} free pages, passed with ${passed.join()}`,
      );
      if ((await answer(host)).version === "1.0.0") expect((await upgrade(host)).status).toBe(200);
      expect(await answer(host)).toEqual({ version: "2.0.0", notes: 1 });
    } finally {
      spawnSync("umount", ["-l", disk.path]);
    }
  },
);

it("criterion 9: wherever the disk is read-only, the old version serves on, the answer says so, and the same call works afterwards", async (context) => {
  await using folder = await temporaryFolder();
  const data = path.join(folder.path, "data");
  await mkdir(data);
  await using host = await bench.host({ dataFolder: data });
  await install(host, "@longbox-test/roomy", "1.0.0");
  const places = ["plugins/staging", "plugins/data/roomy", "plugins", "."];
  for (const place of places) {
    const at = path.join(data, place);
    if (spawnSync("mount", ["--bind", at, at]).status !== 0)
      return context.skip("this process may not mount a file system");
    try {
      expect(spawnSync("mount", ["-o", "remount,bind,ro", at]).status).toBe(0);
      const { status, body } = await upgrade(host);
      expect([place, status, body.code]).toEqual([place, 503, "kernel/storage-not-writable"]);
    } finally {
      expect(spawnSync("umount", ["-l", at]).status).toBe(0);
    }
    await expectOldVersion(host, 0);
  }
  expect((await upgrade(host)).status).toBe(200);
  expect(await answer(host)).toEqual({ version: "2.0.0", notes: 0 });
});
