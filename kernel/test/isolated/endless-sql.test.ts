// Statements of isolated plugins on SQLite that never end.
import { execFileSync } from "node:child_process";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bench, install, packageOf, until, type TinyPlugin } from "../plugins/support.js";

const endless: TinyPlugin = {
  id: "endless",
  head: `import { sql } from "kysely"; import { z } from "zod";
    const never = () => sql\`with recursive n (v) as (select 1 union all select v + 1 from n) select count(*) as text from n\`;`,
  fields: `migrations: [{ name: "0001", up: ({ schema, types }) => schema.createTable("note").addColumn("text", types.text).execute() }]`,
  activate: `
    const database = context.storage.database();
    const index = await context.storage.index("notes", { version: "1", build: async (made) => void (await made.schema.createTable("text").addColumn("n", "integer").execute()) });
    const ends = {
      reads: () => never().execute(database),
      "reads for long": () => never().execute(context.storage.reader()),
      writes: () => sql\`insert into note \${never()}\`.execute(database),
      transaction: () => database.transaction().execute(async (transaction) => {
        await transaction.insertInto("note").values({ text: "never committed" }).execute();
        await never().execute(transaction);
      }),
      index: () => never().execute(index.database),
    };
    context.routes([
      defineRoute({ method: "GET", path: "/api/endless", summary: "list", handle: async () => ({ notes: await database.selectFrom("note").select("text").execute() }) }),
      defineRoute({ method: "PUT", path: "/api/endless", access: "library.view", summary: "note", handle: async () => { await database.insertInto("note").values({ text: "kept" }).execute(); return {}; } }),
      defineRoute({ method: "POST", path: "/api/endless", access: "library.view", summary: "never ends", body: z.object({ how: z.string() }), handle: async ({ body }) => { await ends[body.how](); return {}; } }),
    ]);`,
};

/** How many processes run SQL of this server. */
const processes = () =>
  execFileSync("ps", ["-o", "args", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("statement-program")).length;

let bench: Bench;
let host: KernelTestHost;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.publish(endless);
  host = await bench.host();
  await install(host, packageOf(endless), "1.0.0");
  const isolated = await host.as("admin").patch("/api/plugins/endless", { isolation: "process" });
  expect(isolated).toMatchObject({ status: 200, body: { isolation: { mode: "process" } } });
  expect((await host.as("viewer").put("/api/endless")).status).toBe(200);
});
afterAll(() => bench[Symbol.asyncDispose]());

it.each(["reads", "reads for long", "writes", "transaction", "index"])(
  "hold up no other request (%s), and end with the plugin",
  async (how) => {
    const running = host.as("viewer").post("/api/endless", { how });
    await until(() => processes() > 0);
    // The kernel runs in this process: it would be held up as well.
    for (let asked = 0; asked < 20; asked++) {
      expect((await host.as("admin").get("/api/plugins/endless")).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await host.disable("endless");
    expect((await running).status).toBe(503);
    await until(() => processes() === 0);
    await host.enable("endless");
    expect((await host.as("viewer").get("/api/endless")).body).toEqual({ notes: [{ text: "kept" }] });
  },
);

it("end when they are given up, also in the server's process, where they read beside it", async () => {
  await host.as("admin").patch("/api/plugins/endless", { isolation: "none" });
  const running = host.as("viewer").post("/api/endless", { how: "reads for long" });
  await until(() => processes() > 0);
  await host.disable("endless");
  expect((await running).status).toBe(503);
  await until(() => processes() === 0);
});
