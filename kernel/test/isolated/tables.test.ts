// The tables of isolated plugins, on both engines, and what SQL of a stranger reaches in PostgreSQL.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { startKernelTestHost, type KernelTestHostOptions } from "@longbox/kernel/testing";
import { needsSqliteFiles } from "@longbox/test/needs";
import { needsPostgres, startPostgres, type TestPostgres } from "@longbox/test/postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin, type TinyPlugin } from "../plugins/support.js";

/** Uses all that storage offers, and answers with what it got. */
const ledger: TinyPlugin = {
  id: "ledger",
  head: `import { atOnce, givenRows, isAmong, perEngine, rowsInsert, excluded } from "@longbox/sdk"; import { sql } from "kysely";
    const insertEntries = rowsInsert((database, rows) => database.insertInto("entry").values(rows).returning("id"));
    const failure = async (work) => { try { await work(); return "no failure"; } catch (fault) { return { code: fault.code, message: fault.message }; } };`,
  fields: `migrations: [
    { name: "0001", async up({ schema, types, database }) {
      await schema.createTable("entry").addColumn("id", types.id, types.numbered).addColumn("title", types.text, (c) => c.notNull().unique())
        .addColumn("at", types.instant).addColumn("weight", types.real).addColumn("read", types.flag).addColumn("more", types.json).addColumn("seal", types.bytes).execute();
      await database.insertInto("entry").values({ title: "made by the step", at: 3_000_000_000_000, weight: 0.5, read: 1, more: '{"b":1,"a":[true]}', seal: new Uint8Array([0, 255]) }).execute();
    } },
    { name: "0002", async up({ schema, types, database, raw }) {
      await schema.createTable("place").addColumn("entry", types.id, (c) => c.primaryKey().references("entry.id").onDelete("cascade")).addColumn("name", types.text).execute();
      await schema.createIndex("entry_at").on("entry").column("at").execute();
      for (const { id } of await database.selectFrom("entry").select("id").execute()) await database.insertInto("place").values({ entry: id, name: "shelf" }).execute();
      await raw({ sqlite: ["update place set name = name || '!'"], postgres: ["update place set name = name || '!'"], reason: "a test" });
    } },
  ]`,
  activate: `
    const { storage } = context;
    const database = storage.database();
    const words = await storage.fullText("entry", ["title"]);
    const numbers = await storage.index("numbers", { version: "1", build: async (index) => {
      await index.schema.createTable("number").addColumn("n", "integer").execute();
      await index.insertInto("number").values([{ n: 1 }, { n: 2 }]).execute();
    } });
    const titles = (from = database) => from.selectFrom("entry").select("title").orderBy("id").execute().then((rows) => rows.map(({ title }) => title));
    context.routes([
      defineRoute({ method: "POST", path: "/api/ledger", access: "library.view", summary: "works", handle: async () => {
        const before = storage.dataVersion();
        const ids = await insertEntries(database, [{ title: "Dune", at: undefined }, { title: "Émile", at: 5 }]);
        const rows = Array.from({ length: 160 }, (_, at) => ({ title: "Volume " + String(at).padStart(3, "0"), at: at % 2 === 0 ? undefined : at }));
        await database.transaction().execute((transaction) => atOnce(transaction, (each) => Promise.all([insertEntries(each, rows), each.selectFrom("place").select("name").execute()])));
        await words.put(database, ids.map(({ id }, at) => ({ id, title: ["Dune", "Émile"][at] })));
        const taken = await failure(() => database.insertInto("entry").values({ title: "Dune" }).execute());
        const orphan = await failure(() => database.insertInto("place").values({ entry: 9_999, name: "nowhere" }).execute());
        const undone = await failure(() => database.transaction().execute(async (transaction) => {
          await transaction.insertInto("entry").values({ title: "undone" }).execute();
          throw new Error("changed its mind");
        }));
        const partly = await database.startTransaction().execute();
        await partly.insertInto("entry").values({ title: "kept" }).execute();
        const saved = await partly.savepoint("half").execute();
        await saved.insertInto("entry").values({ title: "dropped" }).execute();
        await (await saved.rollbackToSavepoint("half").execute()).commit().execute();
        const [first] = await database.selectFrom("entry").selectAll().orderBy("id").limit(1).execute();
        const streamed = [];
        let long = 0;
        // All of it at once would be too much to cross.
        for await (const { n } of database.withRecursive("numbers(n)", (cte) => cte.selectNoFrom(sql.lit(1).as("n")).unionAll(cte.selectFrom("numbers").select(sql\`n + 1\`.as("n")).where("n", "<", 20_000)))
          .selectFrom("numbers").select(["n", sql\`'\${sql.raw("x".repeat(600))}'\`.as("text")]).stream(1_000)) long += 1;
        const begun = await database.startTransaction().execute();
        for await (const { id } of begun.selectFrom("entry").select("id").orderBy("id").stream(10)) if (id > 15) break;
        await begun.insertInto("place").values({ entry: 2, name: "after half a stream" }).execute();
        await begun.rollback().execute();
        for await (const { id } of storage.reader().selectFrom("entry").select("id").orderBy("id").stream(50)) streamed.push(id);
        return {
          first: { ...first, seal: [...first.seal] }, taken: taken.code, orphan: orphan.code, undone: undone.message, streamed: streamed.length, long,
          nulls: await database.selectFrom("entry").select("title").orderBy("at", (order) => order.desc().nullsLast()).limit(2).execute(),
          found: (await storage.reader().selectFrom("entry").select("title").where(words.matches("entry.id", "EMI")).execute()).map(({ title }) => title),
          among: (await database.selectFrom("entry").select("title").where(isAmong("id", ids.map(({ id }) => id))).orderBy("id").execute()).map(({ title }) => title),
          given: await database.selectFrom(givenRows({ id: "id", name: "text" }, [{ id: 1, name: "one" }, { id: 2, name: null }]).as("given")).selectAll().orderBy("id").execute(),
          spelled: (await database.selectNoFrom(perEngine({ sqlite: sql\`1 + 1\`, postgres: sql\`2\`, reason: "a test" }).as("two")).execute())[0].two,
          counts: await database.selectFrom("entry").select((eb) => [eb.fn.countAll().as("all"), eb.fn.count("at").as("dated"), eb.fn.sum("read").as("read")]).executeTakeFirst(),
          changed: Number((await database.updateTable("entry").set({ read: 1 }).where("title", "like", "Volume %").executeTakeFirst()).numUpdatedRows),
          places: await database.selectFrom("place").selectAll().execute(), tables: (await database.introspection.getTables()).map(({ name }) => name).filter((name) => name === "entry" || name === "place").sort(),
          numbers: await numbers.database.selectFrom("number").select("n").execute(),
          ends: (await titles()).filter((title) => /undone|kept|dropped/.test(title)), newer: storage.dataVersion() > before,
        };
      } }),
      defineRoute({ method: "GET", path: "/api/ledger", access: "library.view", summary: "looks", handle: async () => ({ titles: await titles(storage.reader()) }) }),
    ]);`,
};

/** Runs what a test sends it, so that the test is the stranger. */
const stranger: TinyPlugin = {
  id: "stranger",
  head: `import { sql } from "kysely"; import { z } from "zod";
    const outcome = async (work) => { try { return (await work()).rows; } catch (fault) { return { code: fault.code, message: fault.message }; } };`,
  fields: `migrations: [{ name: "0001", up: ({ schema, types }) => schema.createTable("note").addColumn("text", types.text).execute() }]`,
  activate: `
    const { storage } = context;
    const run = (text, on) => outcome(() => sql.raw(text).execute(on));
    let held;
    context.routes([
      defineRoute({ method: "POST", path: "/api/stranger", access: "library.view", summary: "runs", body: z.object({ text: z.string(), on: z.enum(["database", "reader"]).default("database") }),
        handle: async ({ body }) => ({ outcome: await run(body.text, storage[body.on]()) }) }),
      defineRoute({ method: "POST", path: "/api/stranger/hold", access: "library.view", summary: "begins", body: z.object({ text: z.string() }),
        handle: async ({ body }) => { held = await storage.database().startTransaction().execute(); return { outcome: await run(body.text, held) }; } }),
      defineRoute({ method: "POST", path: "/api/stranger/held", access: "library.view", summary: "goes on", body: z.object({ text: z.string() }),
        handle: async ({ body }) => ({ outcome: body.text === "rollback" ? await held.rollback().execute() : await run(body.text, held) }) }),
      defineRoute({ method: "GET", path: "/api/stranger", access: "library.view", summary: "looks", handle: async () => ({ pid: process.pid, notes: await storage.database().selectFrom("note").selectAll().execute() }) }),
    ]);`,
};

/** Its migrations are no better than its queries: one by text, one by a tree of the query builder. */
const breakers: TinyPlugin[] = [
  `raw({ sqlite: ["attach database '/tmp/x.sqlite' as x"], postgres: ["reset role"], reason: "a test" })`,
  `sql\`pragma writable_schema = on; reset role\`.execute(database)`,
].map((step, at) => ({
  id: `breaker-${at}`,
  head: `import { sql } from "kysely";`,
  fields: `migrations: [{ name: "0001", up: ({ raw, database }) => ${step} }]`,
}));

/** Runs in the server's process, and has a secret. */
const neighbour: TinyPlugin = {
  id: "neighbour",
  fields: `migrations: [{ name: "0001", async up({ schema, types, database }) {
    await schema.createTable("secret").addColumn("text", types.text).execute();
    await database.insertInto("secret").values({ text: "of the neighbour" }).execute();
  } }]`,
  activate: `context.routes([defineRoute({ method: "GET", path: "/api/neighbour", access: "library.view", summary: "looks", handle: async () => ({ secrets: await context.storage.database().selectFrom("secret").selectAll().execute() }) })]);`,
};

let folder: string;
let server: TestPostgres | undefined;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "longbox-isolated-tables-"));
  for (const plugin of [ledger, stranger, neighbour, ...breakers])
    await writePlugin(path.join(folder, plugin.id), plugin);
  if (!needsPostgres.skip) server = await startPostgres();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const plugins = (...ids: string[]) => ids.map((id) => path.join(folder, id));
const asAdmin = async (text: string, values: unknown[] = []) => {
  const client = new Client({ connectionString: server!.url });
  await client.connect();
  return (await client.query(text, values).finally(() => client.end())).rows;
};

const engines = [
  ["SQLite", () => "sqlite" as const, needsSqliteFiles, { taken: "ERR_SQLITE_ERROR", orphan: "ERR_SQLITE_ERROR" }],
  ["PostgreSQL", () => ({ postgres: server!.url }), needsPostgres, { taken: "23505", orphan: "23503" }],
] as const;

describe.each(engines)("an isolated plugin with tables in %s", (_, storage, needs, faults) => {
  it("gets what a plugin of the server's process gets", needs, async () => {
    const answers = [];
    for (const isolated of [[], ["ledger"]]) {
      await using host = await startKernelTestHost({ plugins: plugins("ledger"), isolated, storage: storage() });
      const { status, body } = await host.as("viewer").post("/api/ledger");
      expect({ status, body }).toMatchObject({ status: 200 });
      answers.push(body);
    }
    const [inside, isolated] = answers;
    expect(isolated).toEqual(inside);
    expect(isolated).toEqual({
      first: {
        id: 1,
        title: "made by the step",
        at: 3_000_000_000_000,
        weight: 0.5,
        read: 1,
        more: '{"b":1,"a":[true]}',
        seal: [0, 255],
      },
      ...faults,
      undone: "changed its mind",
      streamed: 164,
      long: 20_000,
      nulls: [{ title: "made by the step" }, { title: "Volume 159" }],
      found: ["Émile"],
      among: ["Dune", "Émile"],
      given: [
        { id: 1, name: "one" },
        { id: 2, name: null },
      ],
      spelled: 2,
      counts: { all: 164, dated: 82, read: 1 },
      changed: 160,
      places: [{ entry: 1, name: "shelf!" }],
      tables: ["entry", "place"],
      numbers: [{ n: 1 }, { n: 2 }],
      ends: ["kept"],
      newer: true,
    });
  });
});

describe.each(engines)("the migrations of an isolated plugin in %s", (_, storage, needs) => {
  it("may not run more than its queries", needs, async () => {
    for (const { id } of breakers)
      await expect(startKernelTestHost({ plugins: plugins(id), isolated: [id], storage: storage() })).rejects.toThrow(
        /An isolated plugin may not run (?:attach|reset|pragma) as a statement/,
      );
  });
});

type Outcome = { code?: string; message?: string } & Record<string, any>[];

async function strangers(options: KernelTestHostOptions = {}) {
  const host = await startKernelTestHost({
    plugins: plugins("stranger", "neighbour"),
    isolated: ["stranger"],
    storage: { postgres: server!.url },
    ...options,
  });
  const ask = async (where: string, body: object) => {
    const answer = await host.as("viewer").post(`/api/stranger${where}`, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.outcome as Outcome;
  };
  return {
    host,
    run: (text: string, on: "database" | "reader" = "database") => ask("", { text, on }),
    hold: (text: string) => ask("/hold", { text }),
    held: (text: string) => ask("/held", { text }),
    notes: async () => (await host.as("viewer").get("/api/stranger")).body as { pid: number; notes: unknown[] },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

const schemaOf = async (id: string) =>
  (
    await asAdmin("select nspname as name from pg_namespace where nspname like $1 order by oid desc limit 1", [
      `%\\_${id}%`,
    ])
  )[0].name as string;
const rolesOf = (schema: string) => schema.replace(/_\d+$/, "");
const refused = { code: "kernel/statement-refused" };

describe("the SQL of an isolated plugin in PostgreSQL", needsPostgres, () => {
  it("reaches no tables of others, and changes nothing about its session", async () => {
    await using plugin = await strangers();
    const [mine, other, kernel] = [await schemaOf("stranger"), await schemaOf("neighbour"), await schemaOf("kernel")];
    for (const on of ["database", "reader"] as const) {
      for (const table of [`${other}.secret`, `${kernel}.account`, "pg_authid"])
        expect(await plugin.run(`select * from ${table}`, on)).toMatchObject({
          message: expect.stringMatching(/permission denied|does not exist/),
        });
      expect(await plugin.run("select current_user, session_user, current_schema", on)).toEqual([
        { current_user: rolesOf(mine), session_user: rolesOf(mine), current_schema: mine },
      ]);
    }
    for (const text of [
      "reset role",
      `set role longbox`,
      "set session authorization default",
      `set search_path = ${other}`,
      `select set_config('search_path', '${other}', false)`,
      `select "set_config"('role', 'none', false)`,
      `select U&"set\\005fconfig"('role', 'none', false)`,
      "select query_to_xml('select 1', true, true, '')",
      "copy note to program 'id'",
      "copy note from '/etc/passwd'",
      "do $$ begin execute 'reset role'; end $$",
      "create function f() returns bigint language sql as 'select 1'",
      "create or replace function f() returns bigint language sql as 'select 1'",
      "create schema other",
      "create extension dblink",
      "create temporary table note (text text)",
      "create /* */ function f() returns bigint language sql as 'select 1'",
      "alter role current_user password 'known'",
      "drop role current_user",
      "begin",
      "/* one */ -- two\n commit",
      "/* /* */ select */ set role none",
      "/*/**/select*/ create function f() returns bigint language sql as 'select 1'",
      "-- one\rset role none /*\nselect 1*/",
      ";;rollback",
      "prepare longbox_1 as select 1",
      "deallocate all",
      "listen something",
      "lock table note",
      "select pg_advisory_lock(1)",
      "select pg_try_advisory_xact_lock(1)",
      "select pg_notify('anything', 'forged')",
      "select lo_create(0)",
      "update pg_settings set setting = 'public' where name = 'search_path'",
      "call something()",
      "explain analyze select 1",
      "vacuum",
      "grant all on note to public",
    ])
      expect([text, await plugin.run(text)]).toEqual([text, expect.objectContaining(refused)]);
    for (const text of [
      "select 1; select 2",
      "insert into note values ('first'); commit; drop table note",
      `select 1; set role longbox; select * from ${other}.secret`,
    ])
      for (const on of ["database", "reader"] as const)
        expect(await plugin.run(text, on)).toMatchObject({ message: expect.stringContaining("multiple commands") });
    expect((await plugin.notes()).notes).toEqual([]);
    expect((await plugin.host.as("viewer").get("/api/neighbour")).body).toEqual({
      secrets: [{ text: "of the neighbour" }],
    });
  });

  it("leaves nothing on a connection: no temporary tables, and a failed transaction is over", async () => {
    await using plugin = await strangers();
    const connections = "select count(*) as count from pg_stat_activity where usename = current_user";
    await plugin.run("select 'left' as text into temporary note");
    expect(await plugin.run("select * from note")).toEqual([]);
    await plugin.run("select nextval('number') from (select 1) as one");
    expect(await plugin.run("create sequence number")).toEqual([]);
    await plugin.run("select nextval('number')");
    expect(await plugin.run("select currval('number')")).toMatchObject({
      message: expect.stringContaining("not yet defined in this session"),
    });
    expect(await plugin.hold("select 1 / 0")).toMatchObject({ message: expect.stringContaining("division by zero") });
    expect(await plugin.held("select 1")).toMatchObject({ message: expect.stringContaining("aborted") });
    await plugin.held("rollback");
    expect(await plugin.run(connections)).toEqual([{ count: expect.toSatisfy((count) => count <= 4) }]);
  });

  it(
    "is rolled back when the process is killed in the middle, also while a statement runs",
    { timeout: 60_000 },
    async () => {
      await using plugin = await strangers();
      for (const text of ["insert into note values ('lost')", "select pg_sleep(600)"]) {
        const { pid } = await plugin.notes();
        await plugin.hold("insert into note values ('lost')");
        const running = plugin.host.as("viewer").post("/api/stranger/held", { text });
        if (text.includes("sleep")) await untilActive("pg_sleep");
        else await running;
        const reading = plugin.host.as("viewer").post("/api/stranger", { text: "select pg_sleep(599)", on: "reader" });
        await untilActive("pg_sleep(599)");
        process.kill(pid, "SIGKILL");
        expect([(await running).status, (await reading).status]).toEqual([text.includes("sleep") ? 503 : 200, 503]);
        await expect
          .poll(
            async () =>
              asAdmin("select query from pg_stat_activity where usename like '%stranger' and state <> 'idle'"),
            {
              timeout: 20_000,
            },
          )
          .toEqual([]);
        await expect.poll(() => plugin.host.kernel.host.row("stranger").state, { timeout: 20_000 }).toBe("active");
        await expect.poll(async () => (await plugin.notes()).notes, { timeout: 20_000 }).toEqual([]);
      }
    },
  );

  it("needs a role of its own: without one it does not start, and the reason says what to do", async () => {
    await asAdmin("create role porter login nocreaterole");
    await asAdmin("grant create on database postgres to porter");
    const url = server!.url.replace("longbox@", "porter@");
    await expect(strangers({ storage: { postgres: url } })).rejects.toThrow("alter role … createrole");
    await using host = await startKernelTestHost({ plugins: plugins("stranger"), storage: { postgres: url } });
    expect((await host.as("viewer").get("/api/stranger")).status).toBe(200);
  });
});

async function untilActive(part: string): Promise<void> {
  const ask = "select 1 from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()";
  while ((await asAdmin(ask, [`%${part}%`])).length === 0) await setTimeout(20);
}
