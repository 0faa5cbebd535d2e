import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { needsPostgres, startPostgres, type TestPostgres } from "@longbox/test/postgres";
import { migration } from "@longbox/sdk";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresStoring } from "../../dist/storage/owners/postgres-storing.js";
import { keepingLog, temporaryFolder } from "./storage-folder.js";

const shelf = migration("0001", async ({ schema, types }) => {
  await schema
    .createTable("shelf")
    .addColumn("id", types.id, types.numbered)
    .addColumn("name", types.text, (column) => column.notNull())
    .execute();
});
const place = migration("0002", async ({ schema, types }) => {
  await schema.alterTable("shelf").addColumn("place", types.count).execute();
});

let server: TestPostgres;
let owner: PostgresStoring;
let administration: Awaited<ReturnType<PostgresStoring["open"]>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  if (needsPostgres.skip) return;
  server = await startPostgres();
  folder = await temporaryFolder();
  owner = new PostgresStoring({ folder: folder.path, log: keepingLog() }, server.url);
  administration = await owner.open("kernel");
});
afterAll(async () => {
  await owner?.release();
  await folder?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const asAdmin = async (statement: string) => (await sql.raw<any>(statement).execute(administration.database())).rows;

/** A role that may make schemas, as an admin gives it to Longbox, and a store that uses it. */
async function storeOf(role: string, rights: string) {
  await asAdmin(`create role ${role} login ${rights}`);
  await asAdmin(`grant create on database postgres to ${role}`);
  const folder = await temporaryFolder();
  const log = keepingLog();
  const open = () => new PostgresStoring({ folder: folder.path, log }, server.url.replace("longbox@", `${role}@`));
  const opened = {
    folder: folder.path,
    log,
    storing: open(),
    async reopen() {
      await opened.storing.release();
      opened.storing = open();
    },
    /** A plugin with one row in its table. */
    async plugin(id: string, migrations = [shelf]) {
      const storage = await opened.storing.open(id);
      await storage.migrate(migrations);
      const database = storage.database<any>();
      const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(database);
      return { database, storage, schema: rows[0]!.name };
    },
    async [Symbol.asyncDispose]() {
      await opened.storing.release();
      await folder[Symbol.asyncDispose]();
    },
  };
  return opened;
}

const ownersOf = async (schema: string) =>
  asAdmin(`select distinct pg_get_userbyid(relowner) as role from pg_class
    where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'S', 'i')`);

describe("the SQL of a plugin in PostgreSQL", needsPostgres, () => {
  it("has eight connections at most: further statements wait, and another plugin has its own", async () => {
    await using store = await storeOf("crowded", "createrole");
    const [many, other] = [await store.plugin("many"), await store.plugin("other")];
    const counting = sql<{
      mine: number;
    }>`select (select count(*) from pg_stat_activity where usename = current_user) as mine, pg_sleep(0.05)::text`;
    const asked = Promise.all(Array.from({ length: 40 }, () => counting.execute(many.database)));
    await other.database.insertInto("shelf").values({ name: "Moths" }).execute();
    const counts = (await asked).map(({ rows }) => rows[0]?.mine ?? 0);
    expect([counts.length, Math.max(...counts)]).toEqual([40, 8]);
    expect(await other.database.selectFrom("shelf").select("name").execute()).toEqual([{ name: "Moths" }]);
  });

  it("reaches no other plugin and not the accounts, whatever role it takes on", async () => {
    await using store = await storeOf("keeper", "createrole");
    const [north, south] = [await store.plugin("north"), await store.plugin("south")];
    await (await store.storing.open("kernel")).migrate([shelf]);
    await south.database.insertInto("shelf").values({ name: "secret" }).execute();
    const kernel = south.schema.replace(/_south_1$/, "_kernel");
    const denied = /permission denied/;
    const steps = [
      "select 1",
      "reset role",
      "set session authorization default",
      "select set_config('role', 'none', false)",
      `create function other() returns bigint language sql as $$ select count(*) from ${kernel}.shelf $$`,
    ];
    for (const step of steps) {
      await sql
        .raw(step)
        .execute(north.database)
        .catch((fault: Error) => expect(fault.message).toMatch(denied));
      for (const schema of [south.schema, kernel]) {
        for (const statement of [
          `select * from ${schema}.shelf`,
          `insert into ${schema}.shelf (name) values ('x')`,
          `drop table ${schema}.shelf`,
        ])
          await expect(sql.raw(statement).execute(north.database)).rejects.toThrow(/permission denied|must be owner/);
        await expect(
          north.storage
            .reader<any>()
            .selectFrom(sql.table(`${schema}.shelf`).as("other"))
            .selectAll()
            .execute(),
        ).rejects.toThrow(denied);
      }
    }
    for (const role of ["keeper", "longbox", south.schema.replace(/_1$/, "")])
      await expect(sql.raw(`set role ${role}`).execute(north.database)).rejects.toThrow(denied);
    await expect(sql.raw("create schema mine").execute(north.database)).rejects.toThrow(denied);
    expect(await south.database.selectFrom("shelf").select("name").execute()).toEqual([{ name: "secret" }]);
    expect(store.log.lines).toEqual([]);
  });

  it("keeps its tables through an upgrade, a backup and a restart, and leaves no role when it is purged", async () => {
    await using store = await storeOf("warden", "createrole");
    const north = await store.plugin("north");
    await north.database.insertInto("shelf").values({ name: "first" }).execute();
    const role = north.schema.replace(/_1$/, "");
    const trial = await store.storing.trial("north");
    await trial.storage.migrate([shelf, place]);
    await trial.adopt();
    await trial.storage.release();
    const next = await store.plugin("north", [shelf, place]);
    await next.database.insertInto("shelf").values({ name: "second", place: 2 }).execute();
    expect(await ownersOf(next.schema)).toEqual([{ role }]);
    const snapshot = await store.storing.snapshot();
    await next.database.deleteFrom("shelf").execute();
    await snapshot.copyTo(join(store.folder, "copy"));
    await snapshot.release();
    await store.reopen();
    const again = await store.plugin("north", [shelf, place]);
    expect([again.schema, await again.database.selectFrom("shelf").selectAll().execute()]).toEqual([`${role}_2`, []]);
    await store.storing.purge("north");
    expect(await asAdmin(`select 1 from pg_roles where rolname = '${role}'`)).toEqual([]);
    expect((await store.plugin("north")).schema).toBe(`${role}_1`);
  });

  it("does nothing as another role when its tables are taken in from a file, whatever the file calls them", async () => {
    await using store = await storeOf("taker", "createrole");
    await (await store.storing.open("kernel")).migrate([shelf]);
    const file = join(store.folder, "plugins/data/north/1/database.sqlite");
    await mkdir(dirname(file), { recursive: true });
    const hostile = "a'), set_config('role', 'none', true), ('";
    const made = new DatabaseSync(file);
    made.exec(
      `create table "${hostile}" (id integer primary key autoincrement, name text default 'x''; reset role; --')`,
    );
    made.exec(`insert into "${hostile}" (name) values ('kept')`);
    made.exec(`create table later (id integer primary key autoincrement)`);
    made.close();
    const { database } = await store.storing.open("north").then((storage) => ({ database: storage.database<any>() }));
    expect(await database.selectFrom(hostile).select("name").execute()).toEqual([{ name: "kept" }]);
    expect((await database.insertInto(hostile).values({ name: "next" }).returning("id").execute())[0]).toEqual({
      id: 2,
    });
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(database);
    expect(await ownersOf(rows[0]!.name)).toEqual([{ role: rows[0]!.name.replace(/_1$/, "") }]);
  });

  it("takes in a file again when a process ended before all of it was there", async () => {
    await using store = await storeOf("halved", "createrole");
    await (await store.storing.open("kernel")).migrate([shelf]);
    const { schema, storage } = await store.plugin("north");
    await storage.release();
    await store.storing.purge("north");
    await asAdmin(`create schema ${schema}`);
    await asAdmin(`alter schema ${schema} owner to halved`);
    const file = join(store.folder, "plugins/data/north/1/database.sqlite");
    await mkdir(dirname(file), { recursive: true });
    const made = new DatabaseSync(file);
    made.exec(
      "create table shelf (id integer primary key autoincrement, name text not null); insert into shelf (name) values ('kept')",
    );
    made.close();
    await store.reopen();
    const again = await store.storing.open("north");
    expect(await again.database<any>().selectFrom("shelf").select("name").execute()).toEqual([{ name: "kept" }]);
    expect(existsSync(file)).toBe(false);
  });

  it("shares one role where none may be made, says so, and gets its own once that is allowed", async () => {
    await using store = await storeOf("porter", "nocreaterole");
    const [north, south] = [await store.plugin("north"), await store.plugin("south")];
    await north.database.insertInto("shelf").values({ name: "kept" }).execute();
    expect(await ownersOf(north.schema)).toEqual([{ role: "porter" }]);
    expect(store.log.lines.map(({ level, message }) => [level, message])).toEqual([
      ["warn", expect.stringContaining("alter role … createrole")],
    ]);
    await sql.raw(`select * from ${north.schema}.shelf`).execute(south.database);
    await asAdmin("alter role porter createrole");
    await store.reopen();
    const own = await store.plugin("north");
    expect(await ownersOf(own.schema)).toEqual([{ role: own.schema.replace(/_1$/, "") }]);
    expect(await own.database.selectFrom("shelf").select("name").execute()).toEqual([{ name: "kept" }]);
    const other = await store.plugin("south");
    await expect(sql.raw(`select * from ${own.schema}.shelf`).execute(other.database)).rejects.toThrow("permission");
  });
});
