// Criterion 20: a purge leaves no trace of what a plugin wrote through any API, and without it a reinstallation finds
// all of it.
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bench, install, type TinyPlugin } from "../plugins/support.js";
import { digestOf } from "./digest.js";

/** Every sentinel begins with it, so that one scan finds any of them. */
const mark = `s${randomBytes(8).toString("hex")}`;
/** The permission of the plugin. The audit trail goes on saying that it was accepted; no role has it any more. */
const key = `writer.p${randomBytes(8).toString("hex")}`;
const count = 1_000;
/** How many sentinels each API gets; together they are a thousand. */
const share = { table: 250, text: 150, document: 150, index: 100, cache: 50, file: 200, setting: 60, secret: 40 };
const first = `statements("0001", ["CREATE TABLE note (text TEXT)"])`;

/** Writes its sentinels everywhere, and says which it can read. */
const writer = (version: string, migrations: string): TinyPlugin => ({
  id: "writer",
  version,
  manifest: { permissions: [{ key, label: "Write", description: "", tier: "admin" }] },
  head: `import { z } from "zod"; import { mkdir, writeFile, readFile, readdir } from "node:fs/promises"; import { join } from "node:path"; import { secretSetting } from "@longbox/sdk";
const list = z.array(z.string()).default([]);`,
  fields: `settings: z.object({ words: z.string().default("").meta({ title: "Words" }), key: secretSetting({ title: "Key" }) }), migrations: [${migrations}]`,
  activate: `const { storage, log } = context; const database = storage.database(); const text = await storage.fullText("words", ["text"]);
const document = await storage.document("kept", z.object({ words: list })); const cache = await storage.cache("pages", { maxBytes: 1_000_000 });
const index = await storage.index("shelf", { version: "1", build: async (db) => { await db.schema.createTable("item").addColumn("text", "text").execute(); } });
const folder = join(storage.folder, "${mark}");
const body = z.object({ table: list, text: list, document: list, index: list, cache: list, file: list });
context.routes([
  defineRoute({ method: "POST", path: "/api/writer", access: "${key}", summary: "writes everywhere", body, handle: async ({ body }) => {
    for (const text of body.table) await database.insertInto("note").values({ text }).execute();
    await text.put(database, body.text.map((word, at) => ({ id: at + 1, text: word })));
    await document.update(() => ({ words: body.document })); await mkdir(folder, { recursive: true });
    for (const text of body.index) await index.database.insertInto("item").values({ text }).execute(); await index.save();
    for (const word of body.cache) await cache.fetch(word, async () => Buffer.from(word));
    for (const word of body.file) { await writeFile(join(folder, word), word); log.info(word); }
    await writeFile(join(await storage.temporaryFolder(), "${mark}"), body.file[0]);
    return {}; } }),
  defineRoute({ method: "POST", path: "/api/writer/words", access: "admin", summary: "reads everywhere", body, handle: async ({ body }) => {
    const table = (await database.selectFrom("note").select("text").execute()).map((row) => row.text); const found = { table, document: document.read().words, text: [], cache: [], file: [] };
    for (const word of body.text) if ((await database.selectFrom("note").selectAll().where(text.matches("rowid", word.split("-")[1])).execute()).length) found.text.push(word);
    for (const word of body.cache) if (await cache.find(word)) found.cache.push(word);
    found.index = (await index.database.selectFrom("item").select("text").execute()).map((row) => row.text);
    for (const name of await readdir(folder).catch(() => [])) found.file.push(await readFile(join(folder, name), "utf8"));
    return { ...found, setting: context.settings.current.words.split(" ").filter(Boolean), secret: context.settings.current.key.split(" ").filter(Boolean) }; } })]);`,
});
const neighbour: TinyPlugin = {
  id: "neighbour",
  fields: `migrations: [${first}]`,
  activate: `await context.storage.database().insertInto("note").values({ text: "calm" }).execute();`,
};

type Words = Record<keyof typeof share, string[]>;

function makeWords(): Words {
  let next = 0;
  const word = () => `${mark}-${String((next += 1)).padStart(5, "0")}`;
  const words = Object.fromEntries(
    Object.entries(share).map(([api, many]) => [api, Array.from({ length: many }, word)]),
  );
  expect(next).toBe(count);
  return words as Words;
}

/** The files whose name or content holds the mark, in any case or width of letters. */
async function tracesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const marks = [
    Buffer.from(mark),
    Buffer.from(mark, "utf16le"),
    Buffer.from(Buffer.from(mark).toString("base64").slice(0, 20)),
  ];
  const found: string[] = [];
  for (const entry of entries) {
    const at = path.join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await readFile(at) : Buffer.alloc(0);
    if (at.includes(mark) || marks.some((one) => bytes.includes(one))) found.push(path.relative(folder, at));
  }
  return found;
}

async function writeAll(host: KernelTestHost, words: Words): Promise<void> {
  const admin = host.as("admin");
  const { setting, secret, ...rest } = words;
  expect((await admin.post("/api/writer", rest)).status).toBe(200);
  const values = { writer: { words: setting.join(" "), key: secret.join(" ") } };
  expect((await admin.post("/api/settings", values)).status).toBe(200);
}

const sorted = (words: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(words).map(([api, list]) => [api, [...list].sort()]));

let bench: Bench;
beforeAll(async () => void (bench = await Bench.open()));
afterAll(() => bench[Symbol.asyncDispose]());

it("criterion 20: of 1,000 sentinels all come back after a reinstallation, and none is found after a purge", async () => {
  await bench.publish(writer("1.0.0", first));
  await bench.publish(writer("2.0.0", `${first}, statements("0002", ["ALTER TABLE note ADD COLUMN more TEXT"])`));
  await bench.publish(neighbour);
  await using host = await bench.host();
  const admin = host.as("admin");
  await install(host, "@longbox-test/neighbour");
  await host.disable("neighbour");
  const beside = path.join(host.dataFolder, "plugins", "data", "neighbour");
  const untouched = await digestOf(beside);
  const words = makeWords();
  await install(host, "@longbox-test/writer", "1.0.0");
  await admin.post("/api/roles", { name: "writers", permissions: [key] });
  await writeAll(host, words);
  // A state from before an upgrade, and one that a rollback has set aside.
  await install(host, "@longbox-test/writer", "2.0.0");
  expect((await admin.post("/api/plugins/writer/rollback")).body.setAside).toBeDefined();
  const asked = Object.fromEntries(["text", "cache"].map((api) => [api, words[api as keyof Words]]));
  const read = async () => (await admin.post("/api/writer/words", asked)).body as Record<string, string[]>;
  expect(sorted(await read())).toEqual(sorted(words));

  await admin.post("/api/plugins/uninstall", { name: "writer" });
  await host.restart();
  expect(await digestOf(beside)).toBe(untouched);
  await install(host, "@longbox-test/writer", "1.0.0");
  expect(sorted(await read())).toEqual(sorted(words));
  expect((await tracesIn(host.dataFolder)).length).toBeGreaterThan(200);

  await admin.post("/api/plugins/uninstall", { name: "writer", purge: true });
  // The log of the kernel's database is taken over and emptied at the end, at the latest.
  const left = await tracesIn(host.dataFolder);
  expect(left.filter((file) => !/^kernel\/database\.sqlite(-wal)?$/.test(file))).toEqual([]);
  await host.stop();
  expect(await tracesIn(host.dataFolder)).toEqual([]);
  expect(await digestOf(beside)).toBe(untouched);
  await host.restart();
  await install(host, "@longbox-test/writer", "1.0.0");
  expect(Object.values(await read()).flat()).toEqual([]);
  const roles: { name: string; permissions: string[] }[] = (await admin.get("/api/roles")).body;
  expect(roles.find(({ name }) => name === "writers")!.permissions).toEqual([]);
});
