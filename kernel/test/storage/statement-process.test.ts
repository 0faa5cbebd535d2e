import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { ConfinedReaders } from "../../dist/storage/sqlite/confined/confined-readers.js";
import { StatementProcess } from "../../dist/storage/sqlite/confined/statement-process.js";
import { temporaryFolder } from "./storage-folder.js";

const endless = "with recursive n (v) as (select 1 union all select v + 1 from n) select count(*) from n";
const rows = (path: string) => {
  using database = new DatabaseSync(path);
  return database
    .prepare("select text from note")
    .all()
    .map(({ text }) => text);
};

async function openNotes(statementMs = 60_000) {
  const folder = await temporaryFolder();
  const path = join(folder.path, "notes.sqlite");
  const process = new StatementProcess(path, "writes", { statementMs });
  await process.run("create table note (text text)", []);
  return {
    path,
    process,
    async [Symbol.asyncDispose]() {
      await process.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The processes that have this file open. */
const holdersOf = (path: string) =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("statement-program") && line.includes(path));

it("runs statements in another process, with values of every kind", async () => {
  await using notes = await openNotes();
  expect(await notes.process.run("insert into note values (?)", ["one"])).toMatchObject({ changes: 1n, insertId: 1n });
  const values = [null, 1.5, 7n, "text", new Uint8Array([1, 2])];
  const { rows: found } = await notes.process.run("select ? as a, ? as b, ? as c, ? as d, ? as e", values);
  expect(found).toMatchObject([{ a: null, b: 1.5, c: 7, d: "text", e: new Uint8Array([1, 2]) }]);
  await expect(notes.process.run("select * from nowhere", [])).rejects.toThrow("no such table: nowhere");
  expect(rows(notes.path)).toEqual(["one"]);
});

it("ends a statement that runs for too long, with the transaction in which it stands, and goes on with the next", async () => {
  await using notes = await openNotes(1_000);
  await notes.process.run("begin", []);
  await notes.process.run("insert into note values ('lost')", []);
  expect(notes.process.inTransaction).toBe(true);
  await expect(notes.process.run(endless, [])).rejects.toMatchObject({ code: "kernel/statement-ended" });
  expect(notes.process.inTransaction).toBe(false);
  await notes.process.run("insert into note values ('kept')", []);
  expect(rows(notes.path)).toEqual(["kept"]);
});

const numbers = (count: number) => `with recursive n (v) as (select 1 union all select v + 1 from n limit ${count})`;

it.each([
  ["memory for rows", `${numbers(20_000)} select hex(zeroblob(20000)) || v from n`],
  [
    "memory to sort",
    `${numbers(200_000)} select count(*) from (select hex(zeroblob(4000)) || v as t from n order by t)`,
  ],
  ["bytes to send", "select hex(zeroblob(40000000)) as text"],
  ["rows to send", `${numbers(500_001)} select v from n`],
])("ends a statement that takes too much (%s), and its fault says so", async (_what, greedy) => {
  await using notes = await openNotes();
  await expect(notes.process.run(greedy, [])).rejects.toMatchObject({ code: "kernel/statement-ended" });
  await notes.process.run("insert into note values ('kept')", []);
  expect(rows(notes.path)).toEqual(["kept"]);
});

it("has a new process for a statement that comes while the former one closes", async () => {
  await using notes = await openNotes();
  const closing = notes.process.close();
  expect(await notes.process.run("select 1 as one", [])).toMatchObject({ rows: [{ one: 1 }] });
  await closing;
  expect(holdersOf(notes.path)).toHaveLength(1);
});

it("leaves no process behind when it is closed, not even in the middle of a statement", async () => {
  await using notes = await openNotes();
  const running = expect(notes.process.run(endless, [])).rejects.toMatchObject({ code: "kernel/storage-closed" });
  expect(holdersOf(notes.path)).toHaveLength(1);
  await notes.process.close();
  await running;
  await expect.poll(() => holdersOf(notes.path)).toEqual([]);
});

it("does not outlive a server that is killed, whatever it does", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "notes.sqlite");
  const module = new URL("../../dist/storage/sqlite/confined/statement-process.js", import.meta.url);
  const program = `const { StatementProcess } = await import(${JSON.stringify(module)});
    await new StatementProcess(${JSON.stringify(path)}, "writes", { statementMs: 60_000 }).run(${JSON.stringify(endless)}, []);`;
  const server = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "ignore" });
  await expect.poll(() => holdersOf(path)).toHaveLength(1);
  server.kill("SIGKILL");
  await expect.poll(() => holdersOf(path)).toEqual([]);
});

it("reads of one file while the reading of another never ends, until that is given up or closed", async () => {
  await using one = await openNotes();
  await using other = await openNotes();
  const readers = new ConfinedReaders({ statementMs: 60_000 });
  const ask = (path: string, sql: string, signal?: AbortSignal) =>
    readers.read({ path, sql, parameters: [] }, { signal, reads });
  const reads = new Set<{ end(): void }>();
  const given = new AbortController();
  const first = expect(ask(one.path, endless, given.signal)).rejects.toThrow("enough");
  expect(await ask(other.path, "select 1 as one")).toMatchObject([{ one: 1 }]);
  await expect(ask(other.path, "insert into note values ('no')")).rejects.toThrow("readonly");
  given.abort(new Error("enough"));
  await first;
  const second = expect(ask(one.path, endless)).rejects.toMatchObject({ code: "kernel/storage-closed" });
  await expect.poll(() => reads.size).toBe(1);
  for (const read of reads) read.end();
  await second;
  expect(await ask(one.path, "select 2 as two")).toMatchObject([{ two: 2 }]);
  const last = expect(ask(one.path, endless)).rejects.toMatchObject({ code: "kernel/storage-closed" });
  const queued = expect(ask(one.path, "select 3")).rejects.toMatchObject({ code: "kernel/storage-closed" });
  await expect.poll(() => reads.size).toBe(1);
  await readers.release();
  await Promise.all([last, queued]);
  await expect.poll(() => holdersOf(one.path).filter((line) => line.includes(" reads "))).toEqual([]);
});
