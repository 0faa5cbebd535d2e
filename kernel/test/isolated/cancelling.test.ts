// Queries that are given up, in the server's process and in one of their own, on both engines.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { needsSqliteFiles } from "@longbox/test/needs";
import { needsPostgres, startPostgres, type TestPostgres } from "@longbox/test/postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writePlugin, type TinyPlugin } from "../plugins/support.js";

/** Runs what it is sent until it is told to give up, and says what a small query answers then. */
const giver: TinyPlugin = {
  id: "giver",
  head: `import { sql } from "kysely"; import { z } from "zod";`,
  activate: `
    const reader = context.storage.reader();
    const begun = Promise.withResolvers();
    const given = new AbortController();
    const reason = new Error("the client went away");
    const reading = {
      query: (text) => sql.raw(text).execute(reader, { signal: given.signal }),
      stream: async (text) => { for await (const row of reader.selectFrom(sql\`(\${sql.raw(text)})\`.as("long")).selectAll().stream({ chunkSize: 10, signal: given.signal })) void row; },
    };
    context.routes([
      defineRoute({ method: "POST", path: "/api/giver", access: "library.view", summary: "reads", body: z.object({ text: z.string(), how: z.enum(["query", "stream"]), times: z.number() }),
        handle: async ({ body }) => {
          const running = Array.from({ length: body.times }, () => reading[body.how](body.text));
          begun.resolve();
          const outcomes = (await Promise.allSettled(running)).map((outcome) => outcome.reason === reason);
          return { isGivenUp: outcomes.every(Boolean), next: (await sql\`select 1 as one\`.execute(reader)).rows };
        } }),
      defineRoute({ method: "POST", path: "/api/giver/up", access: "library.view", summary: "gives up", handle: async () => { await begun.promise; given.abort(reason); } }),
    ]);`,
};

let folder: string;
let server: TestPostgres | undefined;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "longbox-cancelling-"));
  await writePlugin(path.join(folder, "giver"), giver);
  if (!needsPostgres.skip) server = await startPostgres();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const start = (isolated: boolean, storage?: { postgres: string }) =>
  startKernelTestHost({
    plugins: [path.join(folder, "giver")],
    isolated: isolated ? ["giver"] : [],
    ...(storage && { storage }),
  });
const givenUp = { isGivenUp: true, next: [{ one: 1 }] };

describe.each([
  ["the server's process", false],
  ["a process of its own", true],
])("what a plugin in %s reads and gives up", (_, isolated) => {
  it.each(["query", "stream"])("leaves SQLite free for the next (%s)", needsSqliteFiles, async (how) => {
    await using host = await start(isolated);
    // All of them would take minutes.
    const text = `with recursive count(n) as (select 1 union all select n + 1 from count where n < 5000000) select max(n) as n from count`;
    const reading = host.as("viewer").post("/api/giver", { text, how, times: 200 });
    await host.as("viewer").post("/api/giver/up");
    expect((await reading).body).toEqual(givenUp);
  });

  it.each(["query", "stream"])("is ended in PostgreSQL (%s)", needsPostgres, async (how) => {
    await using host = await start(isolated, { postgres: server!.url });
    await using client = await connect(server!.url);
    const text = `select pg_sleep(600), '${how} ${String(isolated)}' as mark`;
    const reading = host.as("viewer").post("/api/giver", { text, how, times: 2 });
    await vi.waitFor(async () => expect(await client.count(text)).toBe(2), { timeout: 20_000 });
    await host.as("viewer").post("/api/giver/up");
    expect((await reading).body).toEqual(givenUp);
    await vi.waitFor(async () => expect(await client.count(text)).toBe(0), { timeout: 20_000 });
  });
});

async function connect(connectionString: string) {
  const client = new Client({ connectionString });
  await client.connect();
  const running =
    "select count(*)::int as count from pg_stat_activity where state = 'active' and position($1 in query) > 0 and pid <> pg_backend_pid()";
  return {
    /** The statements with this text that run now. */
    count: async (text: string) => (await client.query<{ count: number }>(running, [text])).rows[0]?.count,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
