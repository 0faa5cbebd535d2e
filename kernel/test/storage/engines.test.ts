import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { needsPostgres, startPostgres } from "@longbox/test/postgres";
import { migration } from "@longbox/sdk";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { SqliteStoring, type Storing } from "../../dist/storage/index.js";
import { PostgresStoring } from "../../dist/storage/owners/postgres-storing.js";
import { keepingLog, openStoring, temporaryFolder, type DriverName } from "./storage-folder.js";

const steps = [
  migration("0001-shelf", async ({ schema, types }) => {
    await schema
      .createTable("shelf")
      .addColumn("id", types.id, types.numbered)
      .addColumn("name", types.text, (column) => column.notNull().unique())
      .addColumn("colour", types.text, (column) => column.notNull().defaultTo("it's red"))
      .addColumn("place", types.count, (column) => column.notNull().defaultTo(-1))
      .addColumn("share", types.real)
      .addColumn("cover", types.bytes)
      .execute();
    await schema
      .createIndex("shelf_by_place")
      .on("shelf")
      .columns(["place", "name desc"])
      .where("place", ">", 0)
      .execute();
    await schema.createIndex("shelf_by_share").on("shelf").columns(["share desc", "id"]).execute();
    await schema
      .createTable("book")
      .addColumn("shelf_id", types.id, (column) => column.notNull().references("shelf.id").onDelete("cascade"))
      .addColumn("number", types.text, (column) => column.notNull())
      .addPrimaryKeyConstraint("book_key", ["shelf_id", "number"])
      .execute();
  }),
];
/** Changes what the first step made, under the names that it gave. */
const later = migration("0002-places", async ({ schema, types }) => {
  await schema.dropIndex("shelf_by_place").execute();
  await schema.alterTable("shelf").addColumn("height", types.count).execute();
});

/** As a server does, whose accounts are opened first. */
async function openKernel(storing: Storing): Promise<void> {
  await (await storing.open("kernel")).migrate(steps);
}

async function fill(storing: Storing): Promise<void> {
  await openKernel(storing);
  const storage = await storing.open("shelves");
  await storage.migrate(steps);
  const database = storage.database<any>();
  await database
    .insertInto("shelf")
    .values([
      { name: "Åsa's 進撃", place: 3_000_000_000, share: 0.5, cover: Uint8Array.from([0, 255]) },
      { name: "empty", place: 2, share: null, cover: null },
      { name: "gone", place: 3, share: 7, cover: null },
    ])
    .execute();
  await database.deleteFrom("shelf").where("name", "=", "gone").execute();
  await database
    .insertInto("book")
    .values([1, 2, 10].map((number) => ({ shelf_id: 1, number: String(number) })))
    .execute();
}

const rowsOf = async (storing: Storing) => {
  const database = (await storing.open("shelves")).database<any>();
  const shelves = await database.selectFrom("shelf").selectAll().orderBy("id").execute();
  return {
    shelves: shelves.map((shelf) => ({ ...shelf, cover: shelf.cover && [...shelf.cover] })),
    books: await database.selectFrom("book").selectAll().orderBy("number").execute(),
  };
};

/** How the engine reads the first shelves of a great many. */
async function planOfFirst(storing: Storing, driver: DriverName): Promise<string> {
  const database = (await storing.open("shelves")).database<any>();
  const shelves = Array.from({ length: 5_000 }, (_, index) => ({ name: `${index}`, share: index % 9 || null }));
  await database.insertInto("shelf").values(shelves).execute();
  await sql`analyze shelf`.execute(database);
  const first = sql`select * from shelf order by share desc nulls last, id limit 9`;
  const { rows } = await sql`${sql.raw(driver === "sqlite" ? "explain query plan" : "explain")} ${first}`.execute(
    database,
  );
  return JSON.stringify(rows);
}

const engines: readonly DriverName[] = ["sqlite", "postgres"];
const pairs = engines.flatMap((from) => engines.map((to) => [from, to] as const));

describe("data of one engine", needsPostgres, () => {
  it.each(pairs)("go from %s to %s by a backup with rows, numbers, keys, indexes and migrations", async (from, to) => {
    await using source = await openStoring(from);
    await using target = await openStoring(to);
    await fill(source.storing);
    await using copy = await temporaryFolder();
    const snapshot = await source.storing.snapshot();
    await (await source.storing.open("shelves")).database<any>().deleteFrom("book").execute();
    await snapshot.copyTo(join(copy.path, "data"));
    await snapshot.release();
    await target.storing.release();
    await rm(target.folder, { recursive: true });
    await cp(join(copy.path, "data"), target.folder, { recursive: true });
    const moved = await target.reopen();
    await openKernel(moved);
    const rows = await rowsOf(moved);
    expect(rows).toEqual({
      shelves: [
        { id: 1, name: "Åsa's 進撃", colour: "it's red", place: 3_000_000_000, share: 0.5, cover: [0, 255] },
        { id: 2, name: "empty", colour: "it's red", place: 2, share: null, cover: null },
      ],
      books: ["1", "10", "2"].map((number) => ({ shelf_id: 1, number })),
    });
    const storage = await moved.open("shelves");
    expect(await storage.migrate([...steps, later])).toBe(1);
    const database = storage.database<any>();
    const next = await database
      .insertInto("shelf")
      .values({ name: "next" })
      .returning(["id", "place", "colour"])
      .execute();
    expect(next).toEqual([{ id: 4, place: -1, colour: "it's red" }]);
    await expect(database.insertInto("shelf").values({ name: "next" }).execute()).rejects.toThrow(/unique/i);
    await database.deleteFrom("shelf").where("id", "=", 1).execute();
    expect(await database.selectFrom("book").selectAll().execute()).toEqual([]);
    expect(await rowsOf(await target.reopen())).toMatchObject({ shelves: [{ id: 2 }, { id: 4 }] });
  });

  it.each(pairs)("are read in the order of an index with nulls on %s, and after they went to %s", async (from, to) => {
    await using source = await openStoring(from);
    await using target = await openStoring(to);
    await fill(source.storing);
    await using copy = await temporaryFolder();
    const snapshot = await source.storing.snapshot();
    await snapshot.copyTo(join(copy.path, "data"));
    await snapshot.release();
    await target.storing.release();
    await rm(target.folder, { recursive: true });
    await cp(join(copy.path, "data"), target.folder, { recursive: true });
    const moved = await target.reopen();
    await openKernel(moved);
    for (const plan of [await planOfFirst(source.storing, from), await planOfFirst(moved, to)]) {
      expect(plan).toContain("shelf_by_share");
      expect(plan).not.toMatch(/sort|temp b-tree/i);
    }
  });

  it("are refused when the other one is to open them", async () => {
    await using files = await openStoring("sqlite");
    await using served = await openStoring("postgres");
    await fill(files.storing);
    await fill(served.storing);
    await using server = await startPostgres();
    const wrong = new PostgresStoring({ folder: files.folder, log: keepingLog() }, server.url);
    await expect(openKernel(wrong)).rejects.toMatchObject({ code: "kernel/tables-elsewhere" });
    await wrong.release();
    expect(() => new SqliteStoring({ folder: served.folder, log: keepingLog() })).toThrow("kept by PostgreSQL");
    const elsewhere = new PostgresStoring({ folder: served.folder, log: keepingLog() }, server.url);
    const missing = elsewhere.open("shelves").then((storage) => storage.migrate(steps));
    await expect(missing).rejects.toMatchObject({ code: "kernel/database-missing" });
    await elsewhere.release();
  });
});

describe("a PostgreSQL that goes away", needsPostgres, () => {
  it("is 503 with a code of its own, and is used again by itself when it is back", async () => {
    await using server = await startPostgres("durable");
    await using folder = await temporaryFolder();
    const storing = new PostgresStoring({ folder: folder.path, log: keepingLog() }, server.url);
    await fill(storing);
    const storage = await storing.open("shelves");
    const database = storage.database<any>();
    const before = await rowsOf(storing);
    const transaction = await database.startTransaction().execute();
    await transaction.deleteFrom("shelf").execute();
    await server.kill();
    const away = { kind: "unavailable", code: "kernel/database-away" };
    await expect(transaction.commit().execute()).rejects.toMatchObject(away);
    await expect(database.selectFrom("shelf").selectAll().execute()).rejects.toMatchObject(away);
    await expect(storage.reader<any>().selectFrom("shelf").selectAll().execute()).rejects.toMatchObject(away);
    await expect(database.transaction().execute((each) => each.deleteFrom("shelf").execute())).rejects.toMatchObject(
      away,
    );
    await expect(storing.trial("shelves")).rejects.toMatchObject(away);
    await server.start();
    expect(await rowsOf(storing)).toEqual(before);
    await database.insertInto("shelf").values({ name: "after" }).execute();
    await storing.release();
  });

  it("keeps no schema of a purged plugin", async () => {
    await using opened = await openStoring("postgres");
    await fill(opened.storing);
    const database = (await opened.storing.open("kernel")).database();
    const { prefix } = JSON.parse(await readFile(join(opened.folder, "database.json"), "utf8")) as { prefix: string };
    const schemas = async () => {
      const names = sql<{ name: string }>`select nspname as name from pg_namespace order by 1`;
      return (await names.execute(database)).rows.map(({ name }) => name).filter((name) => name.startsWith(prefix));
    };
    expect(await schemas()).toEqual([`${prefix}_kernel`, `${prefix}_shelves_1`]);
    await opened.storing.purge("shelves");
    expect(await schemas()).toEqual([`${prefix}_kernel`]);
  });
});
