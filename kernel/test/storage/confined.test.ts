// What the SQL of an isolated plugin may take up in PostgreSQL, and what of it remains on a connection. The rules for
// its text come before (kernel/test/isolated/tables.test.ts); here all of it runs.
import { needsPostgres, startPostgres, type TestPostgres } from "@longbox/test/postgres";
import { migration } from "@longbox/sdk";
import { sql, type Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConfinedLimits } from "../../dist/storage/postgres/confined/confined-limits.js";
import { PostgresStoring } from "../../dist/storage/owners/postgres-storing.js";
import { keepingLog, temporaryFolder } from "./storage-folder.js";

const note = migration("0001", async ({ schema, types }) => {
  await schema.createTable("note").addColumn("text", types.text).execute();
});

let server: TestPostgres;
beforeAll(async () => {
  if (!needsPostgres.skip) server = await startPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function storeOf(limits: Partial<ConfinedLimits> = {}) {
  const folder = await temporaryFolder();
  const log = keepingLog();
  const storing = () => new PostgresStoring({ folder: folder.path, log }, server.url, limits);
  const opened = {
    log,
    storing: storing(),
    async reopen() {
      await opened.storing.release();
      opened.storing = storing();
    },
    async plugin(id: string, kind: "own" | "stranger") {
      const storage = await opened.storing.open(id);
      if (kind === "stranger") storage.confine();
      await storage.migrate([note]);
      const database = storage.database<any>();
      return { storage, database, notes: () => textsOf(database), run: runOn(database), read: runOn(storage.reader()) };
    },
    async [Symbol.asyncDispose]() {
      await opened.storing.release();
      await folder[Symbol.asyncDispose]();
    },
  };
  return opened;
}

const textsOf = (database: Kysely<any>) => database.selectFrom("note").select("text").orderBy("text").execute();
const runOn = (database: Kysely<any>) => async (text: string) => (await sql.raw<any>(text).execute(database)).rows;
const ended = (reason: RegExp) =>
  expect.objectContaining({ code: "kernel/statement-ended", message: expect.stringMatching(reason) });
const outcome = (work: Promise<unknown>) => work.catch((fault: unknown) => fault);

describe("the SQL of an isolated plugin in PostgreSQL", needsPostgres, () => {
  it("leaves nothing of it on a connection", async () => {
    await using store = await storeOf();
    const { run, read, database } = await store.plugin("stranger", "stranger");
    const [{ schema }] = await run("select current_schema as schema");
    for (const text of [
      "set search_path = public",
      "select set_config('search_path', 'public', false)",
      "set statement_timeout = 1000000",
      "set application_name = 'another'",
      "set default_transaction_isolation = 'serializable'",
      "select pg_advisory_lock(7)",
      "create temporary table note (other bigint)",
      "listen something",
      "declare held cursor with hold for select 1",
      "begin",
    ])
      await run(text);
    await run("with added as (insert into note values ('added') returning text) select text from added");
    await run("delete from note");
    await outcome(read("select set_config('default_transaction_read_only', 'off', false)"));
    const found = await run(`select current_schema as schema, current_setting('statement_timeout') as timeout,
      current_setting('default_transaction_isolation') as isolation, pg_my_temp_schema()::bigint <> 0 and exists (
        select 1 from pg_class where relnamespace = pg_my_temp_schema()) as temporary,
      (select count(*) from pg_locks where locktype = 'advisory') as locks, (select count(*) from pg_cursors where name = 'held') as cursors,
      (select count(*) from pg_listening_channels()) as listens, pg_current_xact_id_if_assigned() is not null as begun`);
    expect(found).toEqual([
      {
        schema,
        timeout: "0",
        isolation: "read committed",
        temporary: 0,
        locks: 0,
        cursors: 0,
        listens: 0,
        begun: 0,
      },
    ]);
    await expect(read("insert into note values ('read')")).rejects.toThrow("read-only");
    await database.insertInto("note").values({ text: "written" }).execute();
    expect(await textsOf(database)).toEqual([{ text: "written" }]);
  });

  it("is one statement at a time", async () => {
    await using store = await storeOf();
    const [own, stranger] = [await store.plugin("own", "own"), await store.plugin("stranger", "stranger")];
    for (const { run, read } of [own, stranger])
      for (const ask of [run, read]) await expect(ask("select 1; select 2")).rejects.toThrow("multiple commands");
  });

  it("is ended when it runs for too long, and so is a transaction that waits or lasts", async () => {
    await using store = await storeOf({ statementMs: 400, idleMs: 400, transactionMs: 1_500 });
    const { run, read, database, notes } = await store.plugin("stranger", "stranger");
    for (const ask of [run, read]) expect(await outcome(ask("select pg_sleep(600)"))).toEqual(ended(/ran for 0.4/));
    const left = await database.startTransaction().execute();
    await left.insertInto("note").values({ text: "left open" }).execute();
    // It waits for the transaction, and runs once that was ended.
    await database.insertInto("note").values({ text: "after it" }).execute();
    expect(await outcome(left.commit().execute())).toEqual(ended(/waited for 0.4 seconds/));
    await left.rollback().execute();
    const lasting = await database.startTransaction().execute();
    let fault: unknown;
    while (fault === undefined)
      fault = await sql`select pg_sleep(0.2)`.execute(lasting).then(
        () => undefined,
        (told: unknown) => told,
      );
    expect(fault).toEqual(ended(/lasted 1.5 seconds/));
    await lasting.rollback().execute();
    expect(await notes()).toEqual([{ text: "after it" }]);
    await expect
      .poll(() =>
        run("select query from pg_stat_activity where usename = current_user and query like '%pg_sleep(600)'"),
      )
      .toEqual([]);
  });

  it("gets no result that would fill the memory of the server", async () => {
    await using store = await storeOf({ resultBytes: 3_000_000, resultRows: 10_000 });
    const { run, read, notes } = await store.plugin("stranger", "stranger");
    for (const ask of [run, read]) {
      expect(await outcome(ask("select repeat('x', 20000000) as text"))).toEqual(ended(/more than 3000000 bytes/));
      expect(await outcome(ask("select 1 as one from generate_series(1, 50000)"))).toEqual(ended(/than 10000 rows/));
      expect(await ask("select 1 as one from generate_series(1, 9999)")).toHaveLength(9_999);
    }
    expect(await notes()).toEqual([]);
  });

  it("takes few connections, so that strangers who hold all that they get keep no other waiting", async () => {
    await using store = await storeOf();
    const strangers = await Promise.all(["a", "b", "c", "d"].map((id) => store.plugin(id, "stranger")));
    const own = await store.plugin("own", "own");
    const holding = strangers.flatMap(({ read }) =>
      Array.from({ length: 8 }, () => outcome(read("select pg_sleep(600) as held"))),
    );
    const administration = (await store.storing.open("kernel")).database<any>();
    const counts = () =>
      runOn(
        administration,
      )(`select count(*) as held from pg_stat_activity where query like '%as held' and pid <> pg_backend_pid()
        group by usename order by 1 desc`);
    const sum = async () => (await counts()).reduce((all, { held }) => all + held, 0);
    await expect.poll(sum).toBe(10);
    expect((await counts())[0].held).toBe(4);
    await Promise.all(Array.from({ length: 20 }, () => own.run("select pg_sleep(0.01)")));
    for (const { storage } of strangers) storage.revokeTurns();
    await store.storing.release();
    expect((await Promise.all(holding)).every((fault) => fault instanceof Error)).toBe(true);
  });

  it("cannot keep its role from Longbox by another password, or from being removed", async () => {
    await using store = await storeOf();
    const { run } = await store.plugin("stranger", "stranger");
    const [{ role }] = await run("select current_user as role");
    await run("alter role current_user password 'known'");
    await run("select lo_create(0)");
    await store.reopen();
    const again = await store.plugin("stranger", "stranger");
    expect(await again.run("select current_user as role")).toEqual([{ role }]);
    await again.storage.release();
    await store.storing.purge("stranger");
    const own = await store.plugin("own", "own");
    expect(await own.run(`select 1 from pg_roles where rolname = '${role}'`)).toEqual([]);
    expect(store.log.lines).toEqual([]);
  });
});
