import {
  beginsWith,
  containsText,
  excluded,
  findAmong,
  foldText,
  givenRows,
  isAmong,
  migration,
  perEngine,
  rawMigration,
  atOnce,
  rowsInsert,
  type ColumnValues,
} from "@longbox/sdk";
import { sql, type Generated, type Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { driversWithNeeds, openStoring, type DriverName } from "./storage-folder.js";

type Nullable<T> = { [K in keyof T]: T[K] | null };

interface Tables {
  every: { [K in keyof ColumnValues as `${K}_column`]: ColumnValues[K] | null } & { id: Generated<number> };
  item: Nullable<{ shelf: string; place: number }> & { id: Generated<number>; title: string };
  link: { a: number; b: number; weight: number };
}

const tables = migration("0001-tables", async ({ schema, types }) => {
  await schema
    .createTable("every")
    .addColumn("id", types.id, types.numbered)
    .addColumn("id_column", types.id)
    .addColumn("instant_column", types.instant)
    .addColumn("count_column", types.count)
    .addColumn("real_column", types.real)
    .addColumn("flag_column", types.flag)
    .addColumn("text_column", types.text)
    .addColumn("folded_column", types.folded)
    .addColumn("json_column", types.json)
    .addColumn("bytes_column", types.bytes)
    .execute();
  await schema
    .createTable("item")
    .addColumn("id", types.id, types.numbered)
    .addColumn("title", types.folded, (column) => column.notNull())
    .addColumn("shelf", types.text)
    .addColumn("place", types.count)
    .execute();
  await schema.createIndex("item_by_title").on("item").columns(["title", "id desc"]).execute();
  await schema.createIndex("item_placed").on("item").column("place").where("place", ">", 0).execute();
  await schema
    .createTable("link")
    .addColumn("a", types.id, (column) => column.notNull().references("item.id").onDelete("cascade"))
    .addColumn("b", types.id, (column) => column.notNull())
    .addColumn("weight", types.count, (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("link_key", ["a", "b"])
    .execute();
});

type Value = ColumnValues[keyof ColumnValues];
/** The ends of what each type holds, and what engines are known to mix up. */
const samples: { readonly [K in keyof ColumnValues]: readonly Value[] } = {
  id: [1, 2 ** 53 - 1],
  instant: [0, -62_135_596_800_000, Date.UTC(2026, 10, 22), 253_402_300_799_999],
  count: [0, -1, 3_000_000_000, 2 ** 53 - 1, -(2 ** 53 - 1)],
  real: [0.1, -1.5, 1e300, 5e-324, 7],
  flag: [0, 1],
  text: ["", " two  blanks ", "5", "null", 'Åsa\'s \\ "quoted"', "進撃の巨人", "🦇 & \u{10ffff}", "a\nb"],
  folded: [foldText("Astérix ET Obélix"), ""],
  json: ["{}", '{"b":1, "a":[true,null]}', '"text"', "[]", "5"],
  bytes: [new Uint8Array(), Uint8Array.from([0, 255, 92, 120, 0])],
};

async function openTables(driver: DriverName) {
  const opened = await openStoring(driver);
  const storage = await opened.storing.open("shelves");
  await storage.migrate([tables]);
  return { database: storage.database<Tables>(), storage, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

async function putItems(database: Kysely<Tables>, titles: readonly string[]): Promise<number[]> {
  const rows = titles.map((title) => ({ title: foldText(title) }));
  return (await database.insertInto("item").values(rows).returning("id").execute()).map(({ id }) => id);
}

for (const [driver, needed] of driversWithNeeds)
  describe(`tables of the ${driver} driver`, needed, () => {
    it.each(Object.entries(samples))("keep every value of the type %s as it is", async (type, values) => {
      await using opened = await openTables(driver);
      const column = `${type}_column` as "text_column";
      const rows = [...values, null].map((value) => ({ [column]: value as string }));
      await opened.database.insertInto("every").values(rows).execute();
      for (const database of [opened.database, opened.storage.reader<Tables>()]) {
        const kept = await database.selectFrom("every").select(column).orderBy("id").execute();
        expect(kept.map((row) => plain(row[column]))).toEqual([...values.map(plain), null]);
      }
      for (const value of values) {
        const found = opened.database
          .selectFrom("every")
          .select("id")
          .where(column, "=", value as string);
        expect((await found.execute()).length).toBe(1);
      }
    });

    it("refuse what is not of a column's type", async () => {
      await using opened = await openTables(driver);
      for (const wrong of [{ count_column: 1.5 }, { id_column: "one" }, { flag_column: "yes" }, { instant_column: "" }])
        await expect(
          opened.database
            .insertInto("every")
            .values(wrong as never)
            .execute(),
        ).rejects.toThrow(/constraint failed|cannot store|invalid input syntax/i);
      expect(await opened.database.selectFrom("every").select("id").execute()).toEqual([]);
    });

    it("keep U+FFFD for U+0000, which is no text everywhere, and find it by either", async () => {
      await using opened = await openTables(driver);
      const { database } = opened;
      const asked = ["a\0b", "ab"];
      await putItems(database, asked);
      const titles = (await database.selectFrom("item").select("title").orderBy("id").execute()).map(
        ({ title }) => title,
      );
      expect(titles).toEqual(["a\ufffdb", "ab"]);
      const byEqual = database.selectFrom("item").select("title").where("title", "=", "a\0b");
      expect(await byEqual.execute()).toEqual([{ title: "a\ufffdb" }]);
      for (const among of [["a\0b"], ["a\ufffdb"]])
        expect(await database.selectFrom("item").select("title").where(isAmong("title", among)).execute()).toEqual([
          { title: "a\ufffdb" },
        ]);
      const given = givenRows({ title: "text" }, [{ title: "a\0b" }]);
      expect(await database.selectFrom(given.as("given")).select("title").execute()).toEqual([{ title: "a\ufffdb" }]);
    });

    it("number rows, and give no number twice", async () => {
      await using opened = await openTables(driver);
      const [first, second] = await putItems(opened.database, ["one", "two"]);
      expect(second).toBeGreaterThan(first as number);
      await opened.database.deleteFrom("item").execute();
      const [third] = await putItems(opened.database, ["three"]);
      expect(third).toBeGreaterThan(second as number);
    });

    it("sort text by its code points and put nulls where the query says", async () => {
      await using opened = await openTables(driver);
      const texts = ["b", "B", "a b", "a", "ä", "é", "ab", null];
      await opened.database
        .insertInto("every")
        .values(texts.map((text) => ({ text_column: text })))
        .execute();
      const sorted = async (nulls: "nullsFirst" | "nullsLast") =>
        (
          await opened.database
            .selectFrom("every")
            .select("text_column")
            .orderBy("text_column", (order) => order.asc()[nulls]())
            .execute()
        ).map((row) => row.text_column);
      expect(await sorted("nullsFirst")).toEqual([null, "B", "a", "a b", "ab", "b", "ä", "é"]);
      expect(await sorted("nullsLast")).toEqual(["B", "a", "a b", "ab", "b", "ä", "é", null]);
    });

    it("hold keys of several columns, defaults and references", async () => {
      await using opened = await openTables(driver);
      const [item] = (await putItems(opened.database, ["one"])) as [number];
      const put = (a: number, b: number) =>
        opened.database
          .insertInto("link")
          .values({ a, b, weight: 1 })
          .onConflict((on) => on.columns(["a", "b"]).doUpdateSet({ weight: sql`link.weight + excluded.weight` }))
          .execute();
      await put(item, 1);
      await put(item, 1);
      await put(item, 2);
      await expect(put(item + 100, 1)).rejects.toThrow(/foreign key/i);
      const weights = opened.database.selectFrom("link").select("weight").orderBy("b");
      expect((await weights.execute()).map((row) => row.weight)).toEqual([2, 1]);
      await opened.database.deleteFrom("item").execute();
      expect(await weights.execute()).toEqual([]);
    });

    it("find rows among any number of values", async () => {
      await using opened = await openTables(driver);
      const [first, second] = (await putItems(opened.database, ["it's", "two"])) as [number, number];
      const ids = async (condition: ReturnType<typeof isAmong>) =>
        (await opened.database.selectFrom("item").select("id").where(condition).orderBy("id").execute()).map(
          ({ id }) => id,
        );
      const many = Array.from({ length: 200_000 }, (_, index) => 1_000_000 + index);
      expect(await ids(isAmong("item.id", [...many, second]))).toEqual([second]);
      expect(await ids(isAmong("id", []))).toEqual([]);
      expect(await ids(isAmong("title", ["it's", "ten"]))).toEqual([first]);
      expect(await ids(isAmong(sql`id + 1`, [first + 1]))).toEqual([first]);
      const removed = await opened.database
        .deleteFrom("item")
        .where(isAmong("id", [first]))
        .executeTakeFirstOrThrow();
      expect(removed.numDeletedRows).toBe(1n);
    });

    it("find rows by many texts, in whatever order their bytes are", async () => {
      await using opened = await openTables(driver);
      // By UTF-16 units 😀 would come before ﹰ, whose bytes are less; U+0000 is kept as U+FFFD.
      const shelves = ["Z", "a", "ä", "ﹰ", "no\0thing", "😀"];
      await opened.database
        .insertInto("item")
        .values(shelves.map((shelf) => ({ title: "item", shelf })))
        .execute();
      const found = async (...texts: string[]) => {
        const items = opened.database.selectFrom("item").select("shelf").orderBy("id");
        return (await findAmong(items, "shelf", texts)).map(({ shelf }) => shelf);
      };
      expect(await found(...shelves, "b")).toEqual(["Z", "a", "ä", "ﹰ", "no\ufffdthing", "😀"]);
      expect(await found("ﹱ", "😀")).toEqual(["😀"]);
      expect(await found("😀", "ﹰ")).toEqual(["ﹰ", "😀"]);
      expect(await found("no\0thing", "nothing at all")).toEqual(["no\ufffdthing"]);
      expect(await found("b", "Y")).toEqual([]);
      expect(await found("b", "c")).toEqual([]);
      expect(await found()).toEqual([]);
    });

    it("answer with as many rows as they are asked for, and SQLite prepares that statement once", async () => {
      await using opened = await openTables(driver);
      await putItems(opened.database, ["a", "b", "c", "d"]);
      const titles = opened.database.selectFrom("item").select("title").orderBy("title");
      const some = titles.limit(2).offset(1);
      expect(await some.execute()).toEqual([{ title: "b" }, { title: "c" }]);
      expect(await titles.limit(0).execute()).toEqual([]);
      expect(await titles.limit(sql<number>`1 + ${1}`).execute()).toEqual([{ title: "a" }, { title: "b" }]);
      // SQLite prepares a statement again whenever another limit is bound, whatever its value.
      if (driver !== "postgres")
        expect(some.compile()).toMatchObject({ sql: expect.stringMatching(/limit 2 offset \?$/), parameters: [1] });
    });

    it("compare flags, and SQLite prepares that statement once", async () => {
      await using opened = await openTables(driver);
      const { database } = opened;
      await database
        .insertInto("every")
        .values(([1, 0, 1, null] as const).map((flag) => ({ flag_column: flag })))
        .execute();
      await database.schema
        .createIndex("every_flagged")
        .on("every")
        .column("id")
        .where(sql.ref("flag_column"), "=", 1)
        .execute();
      const flagged = (operator: "=" | "<>", flag: 0 | 1) =>
        database.selectFrom("every").select("id").where("flag_column", operator, flag);
      const counted = database.selectFrom("every").select("id").where("count_column", "=", 2);
      expect((await flagged("=", 1).execute()).length).toBe(2);
      expect((await flagged("<>", 0).execute()).length).toBe(2);
      expect((await flagged("=", 0).execute()).length).toBe(1);
      expect((await counted.execute()).length).toBe(0);
      // SQLite prepares a statement again whenever another flag is bound, if an index is of the rows with one.
      if (driver !== "postgres") {
        expect(flagged("=", 1).compile()).toMatchObject({ sql: expect.stringMatching(/ = 1$/), parameters: [] });
        expect(counted.compile()).toMatchObject({ sql: expect.stringMatching(/ = \?$/), parameters: [2] });
      }
    });

    it("update many rows from rows that are given", async () => {
      await using opened = await openTables(driver);
      const ids = await putItems(
        opened.database,
        Array.from({ length: 20_000 }, (_, index) => `item ${index}`),
      );
      // An index on what all rows have in common must not lead the engine to read the given rows once for each of them.
      await opened.database.schema.createIndex("item_by_shelf").on("item").column("shelf").execute();
      await opened.database.updateTable("item").set({ shelf: "all" }).execute();
      const rows = ids.map((id, index) => ({ id, place: index, shelf: index === 0 ? null : `it's "${index}"` }));
      await opened.database
        .updateTable("item")
        .from(givenRows({ id: "id", place: "count", shelf: "text" }, rows).as("given"))
        .set((eb) => ({ place: eb.ref("given.place"), shelf: eb.ref("given.shelf") }))
        .whereRef("item.id", "=", "given.id")
        .where("item.shelf", "=", "all")
        .execute();
      const kept = await opened.database.selectFrom("item").select(["id", "place", "shelf"]).orderBy("id").execute();
      expect(kept).toEqual(rows);
      const none = givenRows({ id: "id" }, []).as("given");
      expect(await opened.database.selectFrom(none).selectAll().execute()).toEqual([]);
    });

    it("take any number of rows through statements that are built once, in transactions and outside", async () => {
      await using opened = await openTables(driver);
      const insert = rowsInsert<Tables, Tables["link"], { b: number }>((database, rows) =>
        database
          .insertInto("link")
          .values(rows)
          .onConflict((conflict) => conflict.columns(["a", "b"]).doUpdateSet(excluded(["weight"])))
          .returning("b"),
      );
      const [a] = await putItems(opened.database, ["one"]);
      const rows = Array.from({ length: 157 }, (_, b) => ({ a: a!, b, weight: b * 2 }));
      expect((await insert(opened.database, rows)).map(({ b }) => b)).toEqual(rows.map(({ b }) => b));
      const heavier = rows.map((row) => ({ ...row, weight: row.weight + 1 }));
      await opened.database.transaction().execute((transaction) => insert(transaction, heavier));
      expect(await insert(opened.database, [])).toEqual([]);
      expect(await opened.database.selectFrom("link").selectAll().orderBy("b").execute()).toEqual(heavier);
    });

    it("answer statements of a transaction that are asked at once, and undo all of them when one fails", async () => {
      await using opened = await openTables(driver);
      const titles = (database: Kysely<Tables>) => database.selectFrom("item").select("title").orderBy("id").execute();
      const add = (database: Kysely<Tables>, title: string) => database.insertInto("item").values({ title }).execute();
      const found = await opened.database.transaction().execute(async (transaction) => {
        const [, , first] = await atOnce(transaction, (each) =>
          Promise.all([add(each, "one"), add(each, "two"), titles(each)]),
        );
        return [first, await titles(transaction)];
      });
      expect(found).toEqual([
        [{ title: "one" }, { title: "two" }],
        [{ title: "one" }, { title: "two" }],
      ]);
      const late: unknown[] = [];
      const failing = opened.database.transaction().execute((transaction) =>
        atOnce(transaction, (each) =>
          Promise.all([
            add(each, "three"),
            each.insertInto("link").values({ a: 9_999, b: 1, weight: 1 }).execute(),
            add(each, "four")
              .then(
                () => add(each, "five"),
                () => add(each, "six"),
              )
              .catch((fault) => late.push(fault)),
          ]),
        ),
      );
      await expect(failing).rejects.toThrow(/foreign key/i);
      await opened.database.transaction().execute(async () => undefined);
      expect(await titles(opened.database)).toEqual([{ title: "one" }, { title: "two" }]);
    });

    it("store null for what is undefined in rows, whichever comes first", async () => {
      await using opened = await openTables(driver);
      const insert = rowsInsert<Tables, Pick<Tables["item"], "title" | "shelf">>((database, rows) =>
        database.insertInto("item").values(rows),
      );
      for (const shelf of [undefined, "left", undefined])
        await insert(opened.database, [{ title: `on ${shelf}`, shelf: shelf as string | null }]);
      expect(await opened.database.selectFrom("item").select("shelf").orderBy("id").execute()).toEqual([
        { shelf: null },
        { shelf: "left" },
        { shelf: null },
      ]);
    });

    it("refuse an insert of rows with values that are not of the rows", async () => {
      await using opened = await openTables(driver);
      const insert = rowsInsert<Tables, Tables["link"]>((database, rows) =>
        database
          .insertInto("link")
          .values(rows)
          .onConflict((conflict) => conflict.columns(["a", "b"]).doUpdateSet({ weight: 1 })),
      );
      await expect(insert(opened.database, [{ a: 1, b: 2, weight: 3 }])).rejects.toThrow("The insert has 4 values");
    });

    it("find folded text by its beginning and by any part, and take no pattern from it", async () => {
      await using opened = await openTables(driver);
      await putItems(opened.database, ["Astérix", "ASTRO", "100% Élan", "100 under_score", "Œuvre", "Straße"]);
      const titles = async (condition: ReturnType<typeof beginsWith>) =>
        (await opened.database.selectFrom("item").select("title").where(condition).orderBy("title").execute()).map(
          ({ title }) => title,
        );
      expect(await titles(beginsWith("title", "Ást"))).toEqual(["asterix", "astro"]);
      expect(await titles(containsText("item.title", "RIX"))).toEqual(["asterix"]);
      expect(await titles(containsText("title", "0% é"))).toEqual(["100% elan"]);
      expect(await titles(containsText("title", "_"))).toEqual(["100 under_score"]);
      expect(await titles(containsText("title", "STRASSE"))).toEqual(["strasse"]);
      expect(await titles(beginsWith("title", "oeu"))).toEqual(["oeuvre"]);
      expect(await titles(beginsWith("title", "%"))).toEqual([]);
    });

    it("run what engines spell differently, as the engine at hand spells it", async () => {
      await using opened = await openTables(driver);
      await opened.storage.migrate([
        tables,
        rawMigration("0002-raw", {
          sqlite: ["insert into item (title) values ('raw')"],
          postgres: ["insert into item (title) values ('raw')"],
          reason: "a test of raw statements",
        }),
      ]);
      const hexed = perEngine<string>({
        sqlite: sql`hex(title)`,
        postgres: sql`upper(encode(convert_to(title, 'UTF8'), 'hex'))`,
        reason: "a test of expressions",
      });
      const [row] = await opened.database.selectFrom("item").select(hexed.as("hexed")).execute();
      expect(row).toEqual({ hexed: "726177" });
    });

    it("keep the same checksum of a step on every engine, and refuse a step that has changed", async () => {
      await using opened = await openTables(driver);
      const applied = await (opened.database as Kysely<any>).selectFrom("longbox_migration").selectAll().execute();
      // Data that is installed carries this number: it may not change, not even with another version of the query
      // builder.
      expect(applied.map(({ name, checksum }) => ({ name, checksum }))).toEqual([
        { name: "0001-tables", checksum: "69eadc1a2e20b199ac9dea03a86f9e077aa7302a5821fa949ea874d4db9f3497" },
      ]);
      const changed = migration("0001-tables", async ({ schema, types }) => {
        await schema.createTable("every").addColumn("id", types.id, types.numbered).execute();
      });
      await expect(opened.storage.migrate([changed])).rejects.toMatchObject({ code: "kernel/migration-changed" });
    });

    it("move rows in a step", async () => {
      await using opened = await openTables(driver);
      const [item] = (await putItems(opened.database, ["one"])) as [number];
      const moving = migration("0002-moving", async ({ schema, types, database }) => {
        await schema.alterTable("item").addColumn("length", types.count).execute();
        const rows = await database.selectFrom("item").select(["id", "title"]).execute();
        for (const { id, title } of rows)
          await database.updateTable("item").set({ length: title.length }).where("id", "=", id).execute();
      });
      expect(await opened.storage.migrate([tables, moving])).toBe(1);
      const [row] = await (opened.database as Kysely<any>).selectFrom("item").select(["id", "length"]).execute();
      expect(row).toEqual({ id: item, length: 3 });
      expect(await opened.storage.migrate([tables, moving])).toBe(0);
    });
  });

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? [...value] : value;
}
