import { readdirSync, readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { StorageClosed } from "../../dist/storage/storage-closed.js";
import { ConfinedReaders } from "../../dist/storage/sqlite/confined/confined-readers.js";
import { ReaderPool } from "../../dist/storage/sqlite/reader-pool.js";
import { openStoring, temporaryFolder } from "./storage-folder.js";

/** Counts to a number, slowly: about a second for each ten million. */
const counting = (to: number) =>
  sql<{
    n: number;
  }>`with recursive count(n) as (select 1 union all select n + 1 from count where n < ${to}) select max(n) as n from count`;

/** The nice values of the threads of this process. */
const prioritiesOfThreads = () =>
  readdirSync("/proc/self/task").map((thread) =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, "utf8").split(") ")[1]?.split(" ")[16]),
  );

describe("a reader", () => {
  it("leaves the event loop free while a query runs", async () => {
    await using opened = await openStoring("sqlite");
    const storage = await opened.storing.open("shelves");
    let running = true;
    let turns = 0;
    const query = counting(5_000_000)
      .execute(storage.reader())
      .finally(() => (running = false));
    while (running) {
      await pause(1);
      turns += 1;
    }
    expect((await query).rows).toEqual([{ n: 5_000_000 }]);
    expect(turns).toBeGreaterThan(50);
  });

  it("cannot write", async () => {
    await using opened = await openStoring("sqlite");
    const storage = await opened.storing.open("shelves");
    await sql`create table t (a integer)`.execute(storage.database());
    await expect(sql`insert into t values (1)`.execute(storage.reader())).rejects.toThrow(/readonly/);
    await expect(
      storage
        .reader()
        .transaction()
        .execute(async () => undefined),
    ).rejects.toMatchObject({ code: "kernel/reader-only-reads" });
  });

  it("does not keep what was written from the file itself when the storage is closed", async () => {
    await using opened = await openStoring("sqlite");
    const storage = await opened.storing.open("shelves");
    await sql`create table t (a blob)`.execute(storage.database());
    await sql`insert into t values (zeroblob(200000))`.execute(storage.database());
    await sql`select count(*) from t`.execute(storage.reader());
    await storage.release();
    const folder = join(opened.folder, "plugins", "data", "shelves");
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.includes("database.sqlite"));
    const sizes = Object.fromEntries(
      await Promise.all(files.map(async (name) => [basename(name), (await stat(join(folder, name))).size] as const)),
    );
    expect(sizes["database.sqlite"]).toBeGreaterThan(200_000);
    expect(sizes["database.sqlite-wal"] ?? 0).toBe(0);
  });

  it("gives up a query when it is told to, and answers the next ones meanwhile", async () => {
    await using opened = await openStoring("sqlite");
    const reader = (await opened.storing.open("shelves")).reader<any>();
    const given = new AbortController();
    const endless = [1, 2, 3].map(() => counting(20_000_000).execute(reader, { signal: given.signal }));
    setTimeout(() => given.abort(new Error("the client went away")), 30);
    await Promise.all(endless.map((each) => expect(each).rejects.toThrow("the client went away")));
    expect((await counting(10).execute(reader)).rows).toEqual([{ n: 10 }]);
  });

  it("gives up what is read when the storage is closed", async () => {
    await using opened = await openStoring("sqlite");
    const storage = await opened.storing.open("shelves");
    const reader = storage.reader<any>();
    await counting(10).execute(reader);
    // Long enough to be under way, and no longer: SQLite goes on in its threads.
    const reading = [1, 2, 3].map(() => expect(counting(20_000_000).execute(reader)).rejects.toThrow(StorageClosed));
    await storage.release();
    await Promise.all(reading);
    const other = (await opened.storing.open("others")).reader<any>();
    expect((await counting(10).execute(other)).rows).toEqual([{ n: 10 }]);
  });

  it.each(["query", "stream"] as const)("prints nothing of a %s that was given up", async (how) => {
    await using opened = await openStoring("sqlite");
    const reader = (await opened.storing.open("shelves")).reader<any>();
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    const given = new AbortController();
    const options = { signal: given.signal };
    const numbers = sql<{
      n: number;
    }>`(with recursive count(n) as (select 1 union all select n + 1 from count where n < 20000000) select max(n) as n from count)`;
    const streamed = async () => {
      for await (const row of reader.selectFrom(numbers.as("numbers")).selectAll().stream(options)) void row;
    };
    const reading = how === "query" ? counting(20_000_000).execute(reader, options) : streamed();
    setTimeout(() => given.abort(new Error("the client went away")), 30);
    await expect(reading).rejects.toThrow("the client went away");
    await counting(10).execute(reader);
    expect(printed.mock.calls).toEqual([]);
  });

  it("is ended after its time, and leaves one thread behind at most, which yields to all others", async () => {
    const limits = { statementMs: 1_200, leftBehindMs: 200 };
    const pool = new ReaderPool(limits);
    const confined = new ConfinedReaders(limits);
    await using folder = await temporaryFolder();
    const path = join(folder.path, "notes.sqlite");
    new DatabaseSync(path).close();
    // Long enough for the test, and no longer: SQLite goes on in its thread.
    const long =
      "with recursive n (v) as (select 1 union all select v + 1 from n where v < 60000000) select max(v) from n";
    const read = (readers: ReaderPool | ConfinedReaders, text: string) =>
      readers.read({ path, sql: text, parameters: [] }, { signal: undefined, reads: new Set() });
    const ended = { code: "kernel/statement-ended", message: expect.stringContaining("1.2 seconds") };
    expect(await read(pool, "select 1 as n")).toEqual([{ n: 1 }]);
    await expect(read(pool, long)).rejects.toMatchObject(ended);
    expect(Math.max(...prioritiesOfThreads())).toBe(19);
    await vi.waitUntil(() => pool.hasLeftBehind(path));
    await expect(read(confined, long)).rejects.toMatchObject(ended);
    expect(await read(pool, "select 2 as n")).toEqual([{ n: 2 }]);
    pool.forget(path);
    expect(pool.hasLeftBehind(path)).toBe(false);
    await Promise.all([pool.release(), confined.release()]);
  });

  it("reports a query that is wrong like the database itself", async () => {
    await using opened = await openStoring("sqlite");
    const reader = (await opened.storing.open("shelves")).reader<any>();
    await expect(sql`select * from missing`.execute(reader)).rejects.toThrow("no such table: missing");
    expect((await counting(3).execute(reader)).rows).toEqual([{ n: 3 }]);
  });
});

describe.each(["sqlite", "memory"] as const)("a loop of many small queries (%s)", (driver) => {
  it("lets others have their turns", async () => {
    await using opened = await openStoring(driver);
    const database = (await opened.storing.open("shelves")).database<any>();
    await sql`create table t (a integer)`.execute(database);
    let turns = 0;
    const watch = setInterval(() => (turns += 1), 1);
    await database.transaction().execute(async (transaction) => {
      const until = performance.now() + 600;
      for (let number = 0; performance.now() < until; number += 1)
        await sql`insert into t values (${number})`.execute(transaction);
    });
    clearInterval(watch);
    // Without turns there would be none; how many there are depends on what else the machine does.
    expect(turns).toBeGreaterThan(0);
  });
});
