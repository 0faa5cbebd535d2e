import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Backups, backupSettings, finishRestore } from "../../dist/backup/index.js";
import { Settings } from "../../dist/settings/index.js";
import { temporaryFolder as programFolder, until } from "../plugins/support.js";
import { Program } from "../plugins/program.js";
import { openStoring } from "../storage/storage-folder.js";

/** A server's folder with a backup of the document `before`, which says `after` now, and that backup prepared. */
async function prepared() {
  const opened = await openStoring("sqlite");
  const { folder, storing, log } = opened;
  const settings = await Settings.open({ folder, log });
  const backups = new Backups({
    folder,
    storing,
    settings: settings.open("backup", backupSettings),
    log,
    version: "1.2.3",
  });
  const { folder: files } = await storing.open("shelves");
  await writeFile(join(files, "kept.txt"), "before");
  await writeFile(join(folder, "settings.json"), '{"said":"before"}');
  await mkdir(join(folder, "plugins/store/shelves@1.0.0-abc"), { recursive: true });
  const { name } = await backups.create();
  await writeFile(join(files, "kept.txt"), "after");
  await writeFile(join(folder, "settings.json"), '{"said":"after"}');
  await writeFile(join(folder, "plugins.lock.json"), "{}");
  await backups.prepareRestore(name);
  const text = (path: string) => readFile(join(folder, path), "utf8");
  const kept = files.slice(folder.length + 1);
  return {
    folder,
    text,
    read: async (under = "") => [await text(join(under, kept, "kept.txt")), await text(join(under, "settings.json"))],
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const before = ["before", '{"said":"before"}'];
const after = ["after", '{"said":"after"}'];

it("changes nothing until the next start, which replaces the data and keeps what was there", async () => {
  await using server = await prepared();
  expect(await server.read()).toEqual(after);
  expect(await finishRestore(server.folder)).toBe(true);
  expect([await server.read(), await server.read("replaced")]).toEqual([before, after]);
  // What the backup does not hold is no longer there; other backups are.
  expect(existsSync(join(server.folder, "plugins.lock.json"))).toBe(false);
  expect(await readdir(join(server.folder, "backups"))).toHaveLength(1);
  expect(await finishRestore(server.folder)).toBe(false);
});

it.each(["while the data was moved away", "while the backup was moved into place"])(
  "is finished by the next start when the process was killed %s",
  async (moment) => {
    await using server = await prepared();
    const move = (from: string, to: string) => rename(join(server.folder, from), join(server.folder, to));
    await mkdir(join(server.folder, "replaced"));
    await move("plugins", "replaced/plugins");
    if (moment === "while the backup was moved into place") {
      for (const part of ["settings.json", "plugins.lock.json"]) await move(part, join("replaced", part));
      await move("restore-waiting", "restore-moving");
      await move("restore-moving/settings.json", "settings.json");
    }
    expect(await finishRestore(server.folder)).toBe(true);
    expect([await server.read(), await server.read("replaced")]).toEqual([before, after]);
  },
);

it("restores a backup of a running server on request: it restarts with what was there then", async () => {
  await using data = await programFolder();
  await using program = await Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: "http://127.0.0.1:9/" });
  const { admin } = program;
  // A connection that is open when the server ends is cut: it is asked again.
  const keep = async () => (await admin.get("/api/settings")).body.backup?.keep;
  await admin.post("/api/settings", { backup: { keep: 3 } });
  const { name } = (await admin.post("/api/backup")).body;
  await admin.post("/api/settings", { backup: { keep: 4 } });
  // Its databases are older by a start then, which is refused of those that came any other way.
  const process = await readFile(join(data.path, "lock.pid"), "utf8");
  await admin.post("/api/restart");
  await until(async () => (await readFile(join(data.path, "lock.pid"), "utf8").catch(() => process)) !== process);
  await until(async () => (await keep().catch(() => undefined)) === 4);
  expect((await admin.post("/api/backups/longbox-1.tar.gz/restore")).status).toBe(404);
  expect((await admin.post(`/api/backups/${name}/restore`)).body).toEqual({
    createdAt: expect.any(String),
    version: expect.any(String),
  });
  await until(async () => (await keep().catch(() => undefined)) === 3);
});
