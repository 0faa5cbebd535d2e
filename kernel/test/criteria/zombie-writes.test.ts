// Criterion 19: what a stopped plugin still holds writes nothing, for as long as it tries, and the tries are counted.
import { setTimeout as sleep } from "node:timers/promises";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bench, install, until, type TinyPlugin } from "../plugins/support.js";
import { digestOf } from "./digest.js";

const forMs = runsLongTests ? 10_000 : 2_000;
const calls = `{
  "document.update": () => document.update(() => ({ word: "zombie" })),
  "database.insert": () => database.insertInto("note").values({ text: "zombie" }).execute(),
  "database.transaction": () => database.transaction().execute((inside) => inside.insertInto("note").values({ text: "zombie" }).execute()),
  "an open transaction": () => transaction.insertInto("note").values({ text: "zombie" }).execute(),
  "cache.fetch": () => cache.fetch("zombie", async () => Buffer.from("zombie")),
  "index.insert": () => index.database.insertInto("item").values({ text: "zombie" }).execute(),
  "index.save": () => index.save(),
  "fullText.put": () => words.put(database, [{ id: 1, text: "zombie" }]),
  "storage.document": () => storage.document("zombie", schema),
  "storage.folder": () => storage.folder,
  "storage.temporaryFolder": () => storage.temporaryFolder(),
  "topic.publish": () => topic.publish("zombie"),
  "context.changed": () => context.changed("lingering"),
  "context.routes": () => context.routes([]),
  "context.own": () => context.own({ release() {} }),
  "context.fetch": () => context.fetch("http://localhost:9/"),
  "host.fetch": () => context.host("http://localhost:9/").fetch("http://localhost:9/"),
  "memory.reserve": () => context.memory.reserve(1),
  "a contract": () => capabilities.ground.ask(),
  "an optional contract": () => capabilities.maybe.use.ask(),
}`;

const lingering: TinyPlugin = {
  id: "lingering",
  manifest: {
    requires: { ground: "^1.0.0" },
    optional: { maybe: "^1.0.0" },
    events: [{ domain: "lingering" }],
    hosts: ["localhost"],
  },
  head: `import { z } from "zod"; import { PassThrough } from "node:stream"; const schema = z.object({ word: z.string().default("") });`,
  fields: `requires: { ground: contract("ground", "1.0.0") }, optional: { maybe: contract("maybe", "1.0.0") }, migrations: [statements("0001", ["CREATE TABLE note (text TEXT)"])]`,
  activate: `const { storage } = context; const database = storage.database(); const document = await storage.document("kept", schema);
const cache = await storage.cache("pages", { maxBytes: 1_000_000 }); const topic = context.topic("told"); const words = await storage.fullText("words", ["text"]);
const index = await storage.index("shelf", { version: "1", build: async (db) => { await db.schema.createTable("item").addColumn("text", "text").execute(); } });
const transaction = await database.startTransaction().execute();
const stream = new PassThrough(); stream.on("error", () => {});
context.routes([defineRoute({ method: "GET", path: "/api/lingering", summary: "streams", handle: () => (stream.write("data: on\\n\\n"), reply.content({ kind: "stream", contentType: "text/event-stream", stream })) })]);
globalThis.__lingering = { stream, calls: ${calls} };`,
};

const provider = (id: string): TinyPlugin => ({
  id,
  manifest: { provides: { [id]: "1.0.0" } },
  activate: `context.provide(contract("${id}", "1.0.0"), { async ask() { globalThis.__asked = (globalThis.__asked ?? 0) + 1; } });`,
});

const shared = globalThis as unknown as {
  __lingering: { stream: NodeJS.WritableStream & { destroyed: boolean }; calls: Record<string, () => unknown> };
  __asked?: number;
};

/** Calls everything again and again, and counts the outcomes of each. */
async function callFor(calls: Record<string, () => unknown>) {
  const outcomes = new Map<string, Set<string>>();
  let made = 0;
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(5))
    for (const [name, call] of Object.entries(calls)) {
      made += 1;
      const outcome = await (async () => (await call(), "it was let through"))().catch(
        (fault) => fault.code ?? String(fault),
      );
      outcomes.set(name, (outcomes.get(name) ?? new Set()).add(outcome));
    }
  return { made, outcomes: Object.fromEntries([...outcomes].map(([name, seen]) => [name, [...seen].join()])) };
}

let bench: Bench;
beforeAll(async () => void (bench = await Bench.open()));
afterAll(() => bench[Symbol.asyncDispose]());

it("criterion 19: closures of a stopped plugin are refused for as long as they try, change no byte, and are counted", async () => {
  for (const plugin of [provider("ground"), provider("maybe"), lingering]) await bench.publish(plugin);
  await using host = await bench.host();
  for (const id of ["ground", "maybe", "lingering"]) await install(host, `@longbox-test/${id}`);
  const admin = host.as("admin");
  const account = (await host.kernel.access.accounts.findByName("trusted"))!;
  const headers = { "x-api-key": await host.kernel.access.keys.replace(account.id) };
  const answer = await fetch(`${host.url}/api/lingering`, { headers });
  const heard: string[] = [];
  const reading = (async () => {
    for await (const chunk of answer.body!) heard.push(Buffer.from(chunk).toString());
  })().catch(() => undefined);
  await until(() => heard.length > 0);
  const domains = await host.domains("viewer");

  await admin.post("/api/plugins/lingering/enabled", { enabled: false });
  await reading;
  const { stream, calls } = shared.__lingering;
  await until(() => stream.destroyed);
  const before = { digest: await digestOf(host.dataFolder), heard: heard.length };
  const { made, outcomes } = await callFor({
    ...calls,
    // What is written to an answer that has ended goes nowhere; it has no promise that could be refused.
    "stream.write": () => new Promise((_, reject) => stream.write("zombie", reject)),
  });
  const codes = new Set([
    "kernel/plugin-stopped",
    "kernel/storage-closed",
    "kernel/capability-gone",
    "ERR_STREAM_DESTROYED",
  ]);
  expect(Object.entries(outcomes).filter(([, outcome]) => !codes.has(outcome))).toEqual([]);
  expect({ digest: await digestOf(host.dataFolder), heard: heard.length }).toEqual(before);
  expect(shared.__asked).toBeUndefined();
  expect(domains.heard).not.toContain("lingering");
  await domains.release();
  const { body } = await admin.get("/api/plugins/lingering");
  expect(body.faults).toBe(0);
  // All but what was written to the stream, and to the transaction that ended with the plugin.
  expect(body.callsAfterStop).toBe((made * 19) / 21);
}, 120_000);
