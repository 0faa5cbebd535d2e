import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { migration, rawMigration } from "@longbox/sdk";
import { sql, type Generated, type Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OwnerFolder } from "../../dist/storage/owners/owner-folder.js";
import { keepWithinRoom } from "../../dist/storage/owners/room-for-states.js";
import { driversWithNeeds, openStoring } from "./storage-folder.js";

interface Tables {
  shelf: { id: Generated<number>; name: string; public: number | boolean };
}

const first = migration("0001-shelf", async ({ schema, types }) => {
  await schema
    .createTable("shelf")
    .addColumn("id", types.id, types.numbered)
    .addColumn("name", types.text, (column) => column.notNull().unique())
    .addColumn("public", types.flag, (column) => column.notNull().defaultTo(0))
    .execute();
});
const second = migration("0002-colour", async ({ schema, types }) => {
  await schema
    .alterTable("shelf")
    .addColumn("colour", types.text, (column) => column.notNull().defaultTo("red"))
    .execute();
});
const things = migration("0001-thing", async ({ schema, types }) => {
  await schema
    .createTable("thing")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .addColumn("bytes", types.bytes)
    .execute();
});
/** Tables `a` and `b`, whose rows refer to rows of `a`; each holds one row. */
const keyed = migration("0001", async ({ schema, types, database }) => {
  await schema
    .createTable("a")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .execute();
  await schema
    .createTable("b")
    .addColumn("a", types.id, (column) => column.notNull().references("a.id"))
    .execute();
  await database.insertInto("a").values({ id: 1 }).execute();
  await database.insertInto("b").values({ a: 1 }).execute();
});

/** The numbers of the states of data that are there. */
const statesOf = async (folder: string) =>
  (await readdir(join(folder, "plugins/data/shelves"))).filter((name) => name !== "current.json");

/** Everything in a database but the count of its openings. */
async function contentOf(database: Kysely<any>) {
  const tables = (await database.introspection.getTables()).filter(({ name }) => name !== "longbox_installation");
  return Promise.all(
    tables.map(async ({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
      rows: await database.selectFrom(name).selectAll().execute(),
    })),
  );
}

for (const [driver, needed] of driversWithNeeds)
  describe(`the ${driver} driver`, needed, () => {
    it("keeps rows over a restart", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([first]);
      const inserted = await storage
        .database<Tables>()
        .insertInto("shelf")
        .values({ name: "Åsa's", public: true })
        .returning("id")
        .executeTakeFirstOrThrow();
      expect(inserted).toEqual({ id: 1 });
      const again = await (await opened.reopen()).open("shelves");
      await again.migrate([first]);
      expect(await again.database<Tables>().selectFrom("shelf").selectAll().execute()).toEqual([
        { id: 1, name: "Åsa's", public: 1 },
      ]);
    });

    it("gives returning rows, counts of changes, streams and bytes", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([things]);
      const database = storage.database<any>();
      const rows = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, bytes: new Uint8Array([index]) }));
      expect(await database.insertInto("thing").values(rows).returning("id").execute()).toHaveLength(250);
      const updated = await database
        .updateTable("thing")
        .set({ bytes: null })
        .where("id", ">", 200)
        .executeTakeFirstOrThrow();
      expect(updated.numUpdatedRows).toBe(50n);
      const streamed: number[] = [];
      for await (const row of database.selectFrom("thing").selectAll().orderBy("id").stream()) streamed.push(row.id);
      expect(streamed).toEqual(rows.map((row) => row.id));
      expect(await database.selectFrom("thing").select("bytes").where("id", "=", 8).executeTakeFirst()).toEqual({
        bytes: expect.objectContaining({ length: 1, 0: 7 }),
      });
    });

    it("isolates a transaction from queries outside of it, and undoes one that fails", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([first]);
      const database = storage.database<Tables>();
      const order: string[] = [];
      let outside: Promise<unknown> | undefined;
      const failing = database.transaction().execute(async (transaction) => {
        await transaction.insertInto("shelf").values({ name: "half", public: 0 }).execute();
        outside = database
          .selectFrom("shelf")
          .selectAll()
          .execute()
          .then((rows) => order.push(`outside saw ${rows.length}`));
        await new Promise((resolve) => setImmediate(resolve));
        order.push("still inside");
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      await outside;
      expect(order).toEqual(["still inside", "outside saw 0"]);
    });

    it("nests transactions by savepoints", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([first]);
      const transaction = await storage.database<Tables>().startTransaction().execute();
      await transaction.insertInto("shelf").values({ name: "kept", public: 0 }).execute();
      const nested = await transaction.savepoint("inner").execute();
      await nested.insertInto("shelf").values({ name: "dropped", public: 0 }).execute();
      await nested.rollbackToSavepoint("inner").execute();
      await transaction.commit().execute();
      expect(
        (await storage.database<Tables>().selectFrom("shelf").select("name").execute()).map((row) => row.name),
      ).toEqual(["kept"]);
    });

    it("holds foreign keys", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([keyed]);
      await expect(sql`insert into b values (7)`.execute(storage.database())).rejects.toThrow(/foreign key/i);
    });

    it("reads through a reader what has just been committed", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([first]);
      for (const name of ["one", "two", "three"])
        await storage.database<Tables>().insertInto("shelf").values({ name, public: 0 }).execute();
      const rows = await storage.reader<Tables>().selectFrom("shelf").select("name").orderBy("name").execute();
      expect(rows).toEqual([{ name: "one" }, { name: "three" }, { name: "two" }]);
    });

    it("has another version of the data after every write, and the same one while there is only reading", async () => {
      await using opened = await openStoring(driver);
      const [storage, other] = [await opened.storing.open("shelves"), await opened.storing.open("elsewhere")];
      await storage.migrate([first]);
      const database = storage.database<Tables>();
      const seen = new Set([storage.dataVersion()]);
      const isAnother = () => seen.size < seen.add(storage.dataVersion()).size;
      await database.insertInto("shelf").values({ name: "one", public: 0 }).execute();
      expect(isAnother()).toBe(true);
      await database.selectFrom("shelf").selectAll().execute();
      await sql`create table thing (id integer)`.execute(other.database());
      expect(isAnother()).toBe(false);
      await database.updateTable("shelf").set({ name: "two" }).returning("id").execute();
      expect(isAnother()).toBe(true);
      const transaction = await database.startTransaction().execute();
      await transaction.deleteFrom("shelf").execute();
      expect(isAnother()).toBe(true);
      await transaction.commit().execute();
      expect(isAnother()).toBe(true);
      const trial = await opened.storing.trial("shelves");
      await trial.storage.database<Tables>().insertInto("shelf").values({ name: "three", public: 0 }).execute();
      await trial.adopt();
      expect(await database.selectFrom("shelf").select("name").execute()).toEqual([{ name: "three" }]);
      expect(isAnother()).toBe(true);
    });

    it("applies each migration once and refuses one that was changed", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([first]);
      await storage.migrate([second, first]);
      await storage.migrate([first, second]);
      const changed = migration("0001-shelf", second.up);
      await expect(storage.migrate([changed, second])).rejects.toMatchObject({ code: "kernel/migration-changed" });
    });

    it("undoes a migration that fails in the middle, and keeps those before it", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      const statements = ["create table half (id integer)", "this is no statement"];
      const reason = "a step that ends in the middle";
      const broken = rawMigration("0002-broken", { sqlite: statements, postgres: statements, reason });
      await expect(storage.migrate([first, broken])).rejects.toThrow(/syntax error/);
      const tables = (await contentOf(storage.database())).map(({ name }) => name);
      expect(tables.sort()).toEqual(["longbox_migration", "shelf"]);
      await storage.migrate([first, second]);
    });

    it("refuses a migration that leaves rows pointing nowhere", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([keyed]);
      const breaking = migration("0002", async ({ database }) => {
        await database.deleteFrom("a").execute();
      });
      await expect(storage.migrate([keyed, breaking])).rejects.toMatchObject({
        code: "kernel/migration-breaks-keys",
      });
      expect((await sql`select * from a`.execute(storage.database())).rows).toHaveLength(1);
    });

    it("refuses a database that is newer than the code, and leaves it as it is", async () => {
      await using opened = await openStoring(driver);
      await (await opened.storing.open("shelves")).migrate([first, second]);
      await opened.reopen();
      const storage = await opened.storing.open("shelves");
      const before = await contentOf(storage.database());
      await expect(storage.migrate([first])).rejects.toMatchObject({
        kind: "conflict",
        code: "kernel/database-newer",
        details: { unknown: ["0002-colour"] },
      });
      await opened.reopen();
      const again = await opened.storing.open("shelves");
      expect(await contentOf(again.database())).toEqual(before);
    });

    it("finds text by words and prefixes, without regard to accents and case, and takes no syntax from it", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      await storage.migrate([
        migration("0001", async ({ schema, types }) => {
          await schema
            .createTable("book")
            .addColumn("id", types.id, types.numbered)
            .addColumn("title", types.text)
            .execute();
        }),
      ]);
      const database = storage.database<any>();
      const index = await storage.fullText("book", ["title", "names"]);
      expect(index.empty).toBe(true);
      const titles = ["Astérix et Obélix", "The Ångström Affair", "OR NOT AND NEAR", "Twelve 12 angry ravens"];
      await database
        .insertInto("book")
        .values(titles.map((title, at) => ({ id: at + 1, title })))
        .execute();
      await index.put(
        database,
        titles.map((title, at) => ({ id: at + 1, title, names: "Goscinny" })),
      );
      const find = async (text: string) =>
        (
          await database.selectFrom("book").select("id").where(index.matches("book.id", text)).orderBy("id").execute()
        ).map((row: { id: number }) => row.id);
      expect(await find("ASTERIX")).toEqual([1]);
      expect(await find("obél ast")).toEqual([1]);
      expect(await find("angstro")).toEqual([2]);
      expect(await find("#12")).toEqual([4]);
      expect(await find("goscin")).toEqual([1, 2, 3, 4]);
      expect(await find("or not")).toEqual([3]);
      expect(await find("angry goscinny")).toEqual([4]);
      for (const hostile of ['"', "title:", "a* OR", "NEAR(", "-angry", "'; drop table book --", "^", "{title}:x"])
        await find(hostile);
      expect(await find(" ?! ")).toEqual([]);
      await index.put(database, [{ id: 1, title: "Lucky Luke", names: "" }]);
      expect(await find("asterix")).toEqual([]);
      expect(await find("lucky")).toEqual([1]);
      await index.remove(database, [1, 2]);
      expect(await find("lucky")).toEqual([]);
      await index.clear(database);
      expect(await find("goscinny")).toEqual([]);
      expect((await storage.fullText("book", ["title", "names"])).empty).toBe(false);
      expect((await storage.fullText("book", ["title"])).empty).toBe(true);
    });

    it("folds accents, capitals and forms of letters alike in every alphabet", async () => {
      await using opened = await openStoring(driver);
      const database = (await opened.storing.open("shelves")).database<any>();
      const index = await (await opened.storing.open("shelves")).fullText("book", ["title"]);
      const found = [
        // What is kept, and what finds it.
        ["Pokémon Ünder Ñandú", ["POKEMON", "under nandu", "pok"]],
        ["Straße nach Großräschen", ["strasse", "grossrä", "STRAẞE"]],
        ["Łódź Æon Øre Đorđe Œuvre", ["lodz", "aeon", "ore", "dorde", "oeuvre"]],
        ["İstanbul ısı", ["istanbul", "ISI"]],
        ["Αστερίξ ο Γαλάτης", ["αστεριξ", "ΓΑΛΑΤΗΣ", "γαλατησ"]],
        ["Йожик и ёлка", ["йожик", "елка", "ИОЖИК"]],
        ["הַסִּפְרִיָּה הגדולה", ["הספריה", "גדולה הספר".replace("גדולה ", "")]],
        ["مُحَمَّد الكتاب", ["محمد", "الكتا"]],
        ["हिन्दी पुस्तक", ["हिन्दी", "पुस्त"]],
        ["進撃の巨人", ["進撃", "巨人", "撃の巨", "の"]],
        ["ｶﾞﾝﾀﾞﾑ ガンダムＵＣ", ["ガンダム", "uc", "ｶﾞﾝ"]],
        ["หนังสือการ์ตูน", ["หนังสือ", "การ์ตูน"]],
        ["나 혼자만 레벨업", ["혼자", "레벨업"]],
        ["ﬁnal Ⅳ ²nd", ["final", "iv", "2nd"]],
      ] as const;
      const titles = [...found.map(([title]) => title), "かき", "がき", "अन्य"];
      await index.put(
        database,
        titles.map((title, at) => ({ id: at + 1, title })),
      );
      const find = async (text: string) => {
        const ids = sql<{ id: number }>`select id from (select ${1} as id ${sql.join(
          titles.slice(1).map((_, at) => sql`union all select ${at + 2}`),
          sql` `,
        )}) as book where ${index.matches("book.id", text)}`;
        return (await ids.execute(database)).rows.map(({ id }) => titles[id - 1]);
      };
      for (const [title, texts] of found)
        for (const text of texts) expect([text, await find(text)]).toEqual([text, expect.arrayContaining([title])]);
      expect(await find("人巨")).toEqual([]);
      expect(await find("が")).toEqual(["がき"]);
      expect(await find("skelter")).toEqual([]);
    });

    it("changes a full-text index with the transaction it is given", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      const database = storage.database<any>();
      const index = await storage.fullText("book", ["title"]);
      const failing = database.transaction().execute(async (transaction) => {
        await index.put(transaction, [{ id: 5, title: "Ghost" }]);
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      const found = await sql<{
        n: number;
      }>`select count(*) as n from (select 5 as id) as book where ${index.matches("book.id", "ghost")}`.execute(
        database,
      );
      expect(found.rows).toEqual([{ n: 0 }]);
    });

    it("builds an index once, restores it from its snapshot, and rebuilds it for another version", async () => {
      await using opened = await openStoring(driver);
      let built = 0;
      const build = async (database: any) => {
        built += 1;
        await sql`create table shelf (name text)`.execute(database);
        await sql`insert into shelf values ('A')`.execute(database);
      };
      const storage = await opened.storing.open("shelves");
      const index = await storage.index<any>("shelves", { version: "1", build });
      expect(index.restored).toBe(false);
      await sql`insert into shelf values ('B')`.execute(index.database);
      await index.save();
      const restored = await (
        await (await opened.reopen()).open("shelves")
      ).index<any>("shelves", { version: "1", build });
      expect({
        restored: restored.restored,
        built,
        rows: (await sql`select name from shelf`.execute(restored.database)).rows,
      }).toEqual({ restored: true, built: 1, rows: [{ name: "A" }, { name: "B" }] });
      await restored.rebuild();
      expect((await sql`select name from shelf`.execute(restored.database)).rows).toEqual([{ name: "A" }]);
      const other = await (
        await (await opened.reopen()).open("shelves")
      ).index<any>("shelves", { version: "2", build });
      expect({ restored: other.restored, built }).toEqual({ restored: false, built: 3 });
    });

    it("keeps documents, changed one after the other, readable by the owner only", async () => {
      await using opened = await openStoring(driver);
      const schema = z.object({ count: z.number().default(0) });
      const document = await (await opened.storing.open("shelves")).document("counter", schema);
      await Promise.all(Array.from({ length: 30 }, () => document.update((current) => ({ count: current.count + 1 }))));
      await expect(document.update(() => ({ count: "many" }) as never)).rejects.toThrow();
      const again = await (await (await opened.reopen()).open("shelves")).document("counter", schema);
      expect(again.read()).toEqual({ count: 30 });
      const kept = (await readdir(opened.folder, { recursive: true })).filter((name) => name.includes("counter"));
      if (driver !== "memory") expect(kept).not.toEqual([]);
      for (const name of kept) expect([name, (await stat(join(opened.folder, name))).mode & 0o077]).toEqual([name, 0]);
    });

    it("keeps an unreadable document aside, says so, and uses the text before its last change", async () => {
      await using opened = await openStoring(driver);
      const schema = z.object({ count: z.number().default(0) });
      const document = await (await opened.storing.open("shelves")).document("counter", schema);
      await document.update(() => ({ count: 1 }));
      await document.update(() => ({ count: 2 }));
      await opened.storing.release();
      const folder = join(opened.folder, "plugins/data/shelves/1/documents");
      await writeFile(join(folder, "counter.json"), "{ half");
      const again = await (await (await opened.reopen()).open("shelves")).document("counter", schema);
      expect(again.read()).toEqual({ count: 1 });
      const aside = (await readdir(folder)).find((name) => name.includes("unreadable"));
      expect(await readFile(join(folder, aside as string), "utf8")).toBe("{ half");
      expect(opened.log.lines).toMatchObject([{ level: "error", fields: { keptAs: join(folder, aside as string) } }]);
    });

    it("tries a copy of the data, in which writers meanwhile wait, and adopts it with all that was acknowledged", async () => {
      await using opened = await openStoring(driver);
      const live = await opened.storing.open("shelves");
      await live.migrate([first]);
      const document = await live.document("notes", z.array(z.string()).default([]));
      await live.database<Tables>().insertInto("shelf").values({ name: "before", public: 0 }).execute();
      await document.update((notes) => [...notes, "before"]);
      const trial = await opened.storing.trial("shelves");
      const waiting = [
        live.database<Tables>().insertInto("shelf").values({ name: "meanwhile", public: 0 }).execute(),
        document.update((notes) => [...notes, "meanwhile"]),
      ];
      await trial.storage.migrate([first, second]);
      const copied = await trial.storage.document("notes", z.array(z.string()).default([]));
      await copied.update((notes) => [...notes, "by the trial"]);
      await trial.adopt();
      await Promise.all(waiting);
      const rows = await sql`select name, colour from shelf order by name`.execute(trial.storage.database());
      expect(rows.rows).toEqual([
        { name: "before", colour: "red" },
        { name: "meanwhile", colour: "red" },
      ]);
      expect(copied.read()).toEqual(["before", "by the trial", "meanwhile"]);
      await live.release();
      const again = await (await opened.reopen()).open("shelves");
      expect((await sql`select name, colour from shelf order by name`.execute(again.database())).rows).toEqual(
        rows.rows,
      );
      expect((await again.document("notes", z.array(z.string()).default([]))).read()).toEqual([
        "before",
        "by the trial",
        "meanwhile",
      ]);
    });

    it("throws a trial away without a trace, and refuses a second one meanwhile", async () => {
      await using opened = await openStoring(driver);
      const live = await opened.storing.open("shelves");
      await live.migrate([first]);
      await live.database<Tables>().insertInto("shelf").values({ name: "kept", public: 0 }).execute();
      await writeFile(join(live.folder, "file.txt"), "kept");
      const trial = await opened.storing.trial("shelves");
      await expect(opened.storing.trial("shelves")).rejects.toMatchObject({ code: "kernel/trial-running" });
      await sql`delete from shelf`.execute(trial.storage.database());
      await writeFile(join(trial.storage.folder, "file.txt"), "changed");
      await trial.discard();
      expect(await live.database<Tables>().selectFrom("shelf").select("name").execute()).toEqual([{ name: "kept" }]);
      expect(await readFile(join(live.folder, "file.txt"), "utf8")).toBe("kept");
      expect(await statesOf(opened.folder)).toEqual(["1"]);
    });

    it("leaves the live data as it was when the adoption fails, and cleans up after it", async () => {
      await using opened = await openStoring(driver);
      const live = await opened.storing.open("shelves");
      await live.migrate([first]);
      const trial = await opened.storing.trial("shelves");
      await trial.storage.migrate([first, second]);
      const inTheWay = join(opened.folder, "plugins/data/shelves/current.json");
      await rename(inTheWay, `${inTheWay}.kept`);
      await mkdir(inTheWay);
      await expect(trial.adopt()).rejects.toThrow();
      await rmdir(inTheWay);
      await rename(`${inTheWay}.kept`, inTheWay);
      await trial.discard();
      await live.database<Tables>().insertInto("shelf").values({ name: "goes on", public: 0 }).execute();
      await live.migrate([first]);
      expect(await statesOf(opened.folder)).toEqual(["1"]);
      await (await opened.storing.trial("shelves")).discard();
    });

    it("goes back to the data from before a trial, and forward again", async () => {
      await using opened = await openStoring(driver);
      const live = await opened.storing.open("shelves");
      await live.migrate([first]);
      await expect(opened.storing.restorePrevious("shelves")).rejects.toMatchObject({
        code: "kernel/no-previous-data",
      });
      const trial = await opened.storing.trial("shelves");
      await trial.storage.migrate([first, second]);
      await trial.adopt();
      await live.release();
      await trial.storage.release();
      expect(await opened.storing.hasPrevious("shelves")).toBe(true);
      await opened.storing.restorePrevious("shelves");
      const back = await opened.storing.open("shelves");
      await back.migrate([first]);
      await opened.storing.restorePrevious("shelves");
      await expect(back.migrate([first])).rejects.toMatchObject({ code: "kernel/database-newer" });
    });

    it("copies what an earlier version left, of the last four, within the room of the disk", async () => {
      await using opened = await openStoring(driver);
      const { storing } = opened;
      const shelf = (storage: { database<T>(): Kysely<T> }) => storage.database<Tables>();
      const live = await storing.open("shelves");
      await live.migrate([first]);
      await live.release();
      for (const n of [1, 2, 3, 4, 5, 6]) {
        const trial = await storing.trial("shelves");
        await shelf(trial.storage)
          .insertInto("shelf")
          .values({ name: `of ${n}`, public: 0 })
          .execute();
        await writeFile(join(trial.storage.folder, "file.txt"), `of ${n}`);
        await trial.adopt({ to: `${n}.0.0` });
        await trial.storage.release();
      }
      const kept = (await storing.leftData("shelves")).map(({ version }) => version);
      expect(kept).toEqual(["5.0.0", "4.0.0", "3.0.0", "2.0.0"]);
      const back = await storing.trial("shelves", "3.0.0");
      const rows = await shelf(back.storage).selectFrom("shelf").select("name").orderBy("id").execute();
      expect(rows.map(({ name }) => name)).toEqual(["of 1", "of 2", "of 3"]);
      await back.discard();
      await expect(storing.trial("shelves", "1.0.0")).rejects.toMatchObject({ code: "kernel/no-previous-data" });
      expect(await statesOf(opened.folder)).toHaveLength(5);
      await keepWithinRoom(new OwnerFolder(join(opened.folder, "plugins/data/shelves")), 0);
      expect((await storing.leftData("shelves")).map(({ version }) => version)).toEqual(["5.0.0"]);
    });

    it("purges all of one owner and nothing of another", async () => {
      await using opened = await openStoring(driver);
      for (const owner of ["shelves", "reader"]) {
        const storage = await opened.storing.open(owner);
        await sql`create table t (a text)`.execute(storage.database());
        await (await storage.document("d", z.array(z.string()).default([]))).update(() => [owner]);
        await (await storage.cache("c", { maxBytes: 1000 })).fetch("k", async () => Buffer.from(owner));
        await writeFile(join(storage.folder, "f"), owner);
      }
      expect(await opened.storing.sizeBytes("reader")).toBeGreaterThan(0);
      await opened.storing.purge("shelves");
      expect([
        await opened.storing.exists("shelves"),
        await opened.storing.exists("reader"),
        existsSync(join(opened.folder, "plugins/cache/shelves")),
      ]).toEqual([false, true, false]);
      expect(await opened.storing.sizeBytes("shelves")).toBe(0);
    });

    it("says that it is closed once it has been released", async () => {
      await using opened = await openStoring(driver);
      const storage = await opened.storing.open("shelves");
      const database = storage.database<any>();
      await sql`select 1`.execute(database);
      await storage.release();
      await expect(sql`select 1`.execute(database)).rejects.toThrow(/closed|destroyed/);
    });
  });
