// Criterion 21: an upgrade whose migration fails half-way changes no byte of the data, and the version before answers
// throughout.
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Program } from "../plugins/program.js";
import { Bench, install, temporaryFolder, until, type TinyPlugin } from "../plugins/support.js";
import { digestOf } from "./digest.js";

const first = `statements("0001", ["CREATE TABLE note (text TEXT)"])`;
/** Five steps after the first; the third has changed tables and rows when the given code runs. */
const steps = (third: string) =>
  [
    first,
    ...[2, 3, 4, 5, 6].map((n) => {
      const name = `000${n}`;
      if (n !== 4) return `statements("${name}", ["ALTER TABLE note ADD COLUMN more${n} TEXT"])`;
      // A migration is tried out once, on an empty database that is thrown away, before it meets the data.
      return `{ name: "${name}", up: async ({ schema, database, sql }) => {
        await schema.alterTable("note").renameColumn("text", "words").execute();
        await database.updateTable("note").set({ words: "lost" }).execute();
        const { rows } = await database.selectFrom("note").selectAll().execute().then((rows) => ({ rows }));
        if (rows.length > 0) { ${third} } } }`;
    }),
  ].join(", ");

/** Keeps what it is told in a table, a document and a file, and reads it back. */
const diary = (version: string, more: { readonly fields: string; readonly begin?: string }): TinyPlugin => ({
  id: "diary",
  version,
  head: `import { z } from "zod"; import { readFile, writeFile, rm } from "node:fs/promises"; import { join } from "node:path";`,
  fields: more.fields,
  activate: `const { storage } = context; const database = storage.database(); const file = join(storage.folder, "page.txt");
const document = await storage.document("kept", z.object({ word: z.string().default("") })); ${more.begin ?? ""}
context.routes([
  defineRoute({ method: "POST", path: "/api/diary", access: "viewer", summary: "writes", handle: async () => {
    await database.insertInto("note").values({ text: "kept" }).execute(); await document.update(() => ({ word: "kept" })); await writeFile(file, "kept"); return {}; } }),
  defineRoute({ method: "GET", path: "/api/diary", summary: "reads", handle: async () => {
    const [row] = await database.selectFrom("note").selectAll().execute();
    return { version: context.plugin.version, table: row?.text ?? row?.words, document: document.read().word, file: await readFile(file, "utf8") }; } })]);`,
});

const kept = { table: "kept", document: "kept", file: "kept" };
const broken = {
  "2.0.0-throws": {
    fields: `migrations: [${steps(`await database.updateTable("nowhere").set({ x: 1 }).execute();`)}]`,
  },
  "2.0.0-hangs": { fields: `migrations: [${steps(`await new Promise(() => {});`)}]` },
  "2.0.0-exits": { fields: `migrations: [${steps(`process.exit(3);`)}]` },
  "2.0.0-starts-badly": {
    fields: `migrations: [${first}]`,
    begin: `await document.update(() => ({ word: "lost" })); await writeFile(file, "lost"); await writeFile(file + ".more", "lost"); await rm(file);
      await database.updateTable("note").set({ text: "lost" }).execute(); throw new Error("no luck");`,
  },
};
const corrected = {
  fields: `migrations: [${steps("")}]`,
  begin: `await database.updateTable("note").set({ words: "kept" }).execute();`,
};

/** Asks again and again. @returns ends it, and says what came */
function asking(ask: () => Promise<{ status: number; body: unknown }>) {
  const answers: { status: number; body: unknown }[] = [];
  let going = true;
  const loop = (async () => {
    while (going) answers.push(await ask());
  })();
  return { answers, end: () => ((going = false), loop) };
}

/** The tables of a database and their rows. Its file changes at every start, which notes in it that it was opened. */
function tablesIn(folder: string): unknown {
  const database = new DatabaseSync(path.join(folder, "database.sqlite"), { readOnly: true });
  const tables = database.prepare("SELECT sql FROM sqlite_master ORDER BY name").all();
  const rows = database.prepare("SELECT * FROM note").all();
  database.close();
  return { tables, rows };
}

describe("criterion 21: a migration that fails half-way", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish(diary("1.0.0", { fields: `migrations: [${first}]` }));
    for (const [version, more] of Object.entries(broken)) await bench.publish(diary(version, more));
    await bench.publish(diary("2.0.1", corrected));
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it.each([
    ["2.0.0-throws", /migration "0004" of "diary".*update "nowhere"/],
    ["2.0.0-hangs", /migrations of "diary" did not end within 1 seconds/],
    ["2.0.0-starts-badly", /no luck/],
  ])("(%s) changes no byte while the version before answers, and the corrected one upgrades", async (version, told) => {
    await using host = await bench.host({ kernel: { plugins: { limits: { migrateMs: 1_000 } } } });
    await install(host, "@longbox-test/diary", "1.0.0");
    const viewer = host.as("viewer");
    expect((await viewer.post("/api/diary")).status).toBe(200);
    const data = path.join(host.dataFolder, "plugins", "data", "diary");
    const before = await digestOf(data);
    const load = asking(() => viewer.get("/api/diary"));
    await until(() => load.answers.length > 5);
    const failed = await host.as("admin").post("/api/plugins/install", { name: "diary", version });
    expect(failed).toMatchObject({ status: 409, body: { error: expect.stringMatching(told) as string } });
    const { length } = load.answers;
    await until(() => load.answers.length > length + 5);
    await load.end();
    for (const answer of load.answers)
      expect(answer).toMatchObject({ status: 200, body: { version: "1.0.0", ...kept } });
    expect(await digestOf(data)).toBe(before);
    expect((await host.as("admin").get("/api/plugins/diary")).body).toMatchObject({
      version: "1.0.0",
      state: "active",
    });
    await install(host, "diary", "2.0.1");
    expect((await viewer.get("/api/diary")).body).toEqual({ version: "2.0.1", ...kept });
  });

  it("(2.0.0-exits) changes no byte when it ends the server, and the next one serves the version before", async () => {
    await using data = await temporaryFolder();
    await using program = await Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: bench.registry.url });
    const { admin } = program;
    const installing = (version: string) =>
      admin.post("/api/plugins/install", { name: "@longbox-test/diary", version, accept: true });
    expect((await installing("1.0.0")).status).toBe(200);
    expect((await admin.post("/api/diary")).status).toBe(200);
    const folder = path.join(data.path, "plugins", "data", "diary");
    const state = async () => [await digestOf(folder, /^database\.sqlite/), tablesIn(path.join(folder, "1"))];
    const before = await state();
    await expect(installing("2.0.0-exits")).rejects.toThrow();
    // The connection waits for the next kernel.
    expect(await admin.get("/api/diary")).toMatchObject({ status: 200, body: { version: "1.0.0", ...kept } });
    expect(await state()).toEqual(before);
    const [row] = (await admin.get("/api/plugins")).body;
    expect(row).toMatchObject({ version: "1.0.0", state: "active" });
    const trail: { action: string; reason?: string }[] = (await admin.get("/api/plugins/audit")).body;
    expect(trail[0]).toMatchObject({
      action: "blocked",
      plugin: "diary",
      reason: expect.stringContaining("ended the process"),
    });
    expect((await installing("2.0.1")).status).toBe(200);
    expect((await admin.get("/api/diary")).body).toEqual({ version: "2.0.1", ...kept });
  });
});
