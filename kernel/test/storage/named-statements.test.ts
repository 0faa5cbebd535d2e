// PostgreSQL keeps the statements that come again; no caller notices.
import { sql } from "kysely";
import { migration } from "@longbox/sdk";
import { needsPostgres } from "@longbox/test/postgres";
import { describe, expect, it } from "vitest";
import { openStoring } from "./storage-folder.js";

const steps = [
  migration("0001", async ({ schema, types }) => {
    await schema
      .createTable("shelf")
      .addColumn("id", types.id, types.numbered)
      .addColumn("name", types.text, (column) => column.notNull().unique())
      .execute();
  }),
];
const often = Array.from({ length: 8 }, (_, index) => index);

async function openShelves() {
  const opened = await openStoring("postgres");
  const storage = await opened.storing.open("shelves");
  await storage.migrate(steps);
  return Object.assign(opened, { storage, database: storage.database<any>() });
}

describe("statements that PostgreSQL keeps", needsPostgres, () => {
  it("are those that come again, and not more than a hundred for a connection", async () => {
    await using opened = await openShelves();
    const { database } = opened;
    const kept = () =>
      database.connection().execute(async (connection) => {
        // One connection asks for all, so that it is the same one that tells.
        for (const number of Array.from({ length: 150 }, (_, index) => index))
          for (const again of often) await sql`select ${sql.lit(number)} + ${again}::int as sum`.execute(connection);
        const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
          connection,
        );
        return rows.map(({ statement }) => statement);
      });
    const first = await kept();
    expect(first.length).toBeGreaterThan(90);
    expect(first.length).toBeLessThan(102);
    // Those that had to make room come again, by the same connection.
    expect((await kept()).length).toBe(first.length);
  });

  it("answer for the columns that a table has now, in every schema of its owner", async () => {
    await using opened = await openShelves();
    const { database, storing } = opened;
    await database.insertInto("shelf").values({ name: "one" }).execute();
    const all = () => database.selectFrom("shelf").selectAll().where("name", "=", "one").execute();
    for (const _ of often) await all();
    await database.schema.alterTable("shelf").addColumn("place", "bigint").execute();
    expect(await all()).toEqual([{ id: 1, name: "one", place: null }]);

    const trial = await storing.trial("shelves");
    const later = migration("0002", async ({ schema, types }) => {
      await schema.alterTable("shelf").addColumn("colour", types.text).execute();
    });
    await trial.storage.migrate([...steps, later]);
    await trial.adopt();
    expect(await all()).toEqual([{ id: 1, name: "one", place: null, colour: null }]);
  });

  it("may fail in a transaction that goes on after its savepoint", async () => {
    await using opened = await openShelves();
    const insert = (database: typeof opened.database, name: string) =>
      database.insertInto("shelf").values({ name }).execute();
    for (const number of often) await insert(opened.database, `shelf ${number}`);
    const transaction = await opened.database.startTransaction().execute();
    const saved = await transaction.savepoint("before").execute();
    await expect(insert(saved as never, "shelf 1")).rejects.toThrow(/unique/);
    await saved.rollbackToSavepoint("before").execute();
    await insert(saved as never, "another");
    await saved.commit().execute();
    expect(await opened.database.selectFrom("shelf").select("name").where("name", "=", "another").execute()).toEqual([
      { name: "another" },
    ]);
  });
});
