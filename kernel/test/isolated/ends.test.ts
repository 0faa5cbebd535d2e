// What happens when the process of an isolated plugin ends by itself: to its requests, to others, and to the plugin.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { contract, definePlugin } from "@longbox/sdk";
import { startKernelTestHost, type KernelTestHost, type KernelTestHostOptions } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { IsolationTuning } from "../../src/plugins/host-tuning.js";
import { Bench, install, packageOf, writePlugin, type TinyPlugin } from "../plugins/support.js";

interface Count {
  count(): Promise<number>;
}
const Count = contract<Count>("fragile", "1.0.0");

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), "longbox-ends-"))));
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const migrations = `migrations: [{ name: "0001", up: ({ schema, types }) => schema.createTable("note").addColumn("text", types.text).execute() }]`;
const fragile: TinyPlugin = {
  id: "fragile",
  manifest: { provides: { fragile: "1.0.0" }, events: [{ domain: "fragile" }] },
  head: `import { closeSync } from "node:fs"; import { z } from "zod";
    const ends = {
      claim() { process.stderr.write("FATAL ERROR: it is out of memory\\n", () => process.exit(3)); return new Promise(() => {}); },
      hangUp() { closeSync(3); return new Promise((resolve) => setTimeout(resolve, 60_000)); },
      abort() { process.abort(); },
      exit() { process.exit(3); },
      loop() { for (;;); },
      async microtasks() { for (;;) await null; },
      leak() { const kept = []; for (;;) kept.push(Buffer.alloc(5_000_000, 1)); },
      heap() { const kept = []; for (;;) kept.push(new Array(10_000).fill({})); },
    };`,
  fields: migrations,
  activate: `
    const database = context.storage.database();
    const count = async () => (await database.selectFrom("note").selectAll().execute()).length;
    context.provide(contract("fragile", "1.0.0"), { count });
    context.routes([
      defineRoute({ method: "GET", path: "/api/fragile", summary: "look", handle: async () => ({ pid: process.pid, count: await count() }) }),
      defineRoute({ method: "POST", path: "/api/fragile/notes", access: "library.view", summary: "note", handle: async () => {
        await database.insertInto("note").values({ text: "kept" }).execute();
        return {};
      } }),
      defineRoute({ method: "POST", path: "/api/fragile/end", access: "library.view", summary: "end", body: z.object({ how: z.string() }), handle: ({ body }) => ends[body.how]() }),
      defineRoute({ method: "POST", path: "/api/fragile/open", access: "library.view", summary: "leaves a transaction open", handle: () =>
        database.transaction().execute(async (transaction) => {
          await transaction.insertInto("note").values({ text: "lost" }).execute();
          context.changed("fragile");
          await new Promise(() => {});
        }) }),
    ]);`,
};

/** Uses the contract of the other, and must not be stopped because its process ends. */
function user(starts: number[]) {
  return {
    manifest: { id: "user", title: "User", description: "", sdk: "^1.0.0", requires: { fragile: "^1.0.0" } },
    plugin: definePlugin({
      requires: { fragile: Count },
      activate: () => void starts.push(Date.now()),
    }),
  };
}

async function hostOf(isolation: IsolationTuning = {}, more: KernelTestHostOptions = {}): Promise<KernelTestHost> {
  const at = path.join(folder, fragile.id);
  await writePlugin(at, fragile);
  return startKernelTestHost({
    plugins: [at, ...(more.plugins ?? [])],
    isolated: [fragile.id],
    kernel: { plugins: { isolation: { restartMs: [300], ...isolation } } },
  });
}

const rowOf = (host: KernelTestHost) => host.kernel.host.row(fragile.id);

/** What the row of the plugin said at each change. */
function watchRow(host: KernelTestHost): ReturnType<typeof rowOf>[] {
  const seen: ReturnType<typeof rowOf>[] = [];
  host.kernel.host.onChanged(() => seen.push(rowOf(host)));
  return seen;
}

describe("an isolated plugin whose process", () => {
  it.each([
    { how: "abort", said: /with the signal SIGABRT/, place: true, isRefused: true },
    { how: "exit", said: /with the code 3/, place: true, isRefused: true },
    { how: "claim", said: /with the code 3/, place: false, isRefused: true },
    { how: "hangUp", said: /closed its connection to the server/, place: false, isRefused: true },
    { how: "loop", said: /did nothing else for/, place: false, isRefused: true },
    { how: "microtasks", said: /did nothing else for/, place: false, isRefused: true },
    { how: "leak", said: /took \d+ MB of memory, and may have/, place: false, isRefused: false },
    { how: "heap", said: /more memory than it may have|did nothing else for/, place: false, isRefused: false },
  ])("ends by $how hurts only itself and is started again", async ({ how, said, place, isRefused }) => {
    const starts: number[] = [];
    // On a busy machine memory is taken slowly, in a loop that also blocks.
    const limits = how === "leak" ? { memoryBytes: 200_000_000, blockedMs: 20_000 } : { memoryBytes: 420_000_000 };
    await using host = await hostOf({ limits }, { plugins: [user(starts)] });
    const viewer = host.as("viewer");
    expect((await viewer.post("/api/fragile/notes")).status).toBe(200);
    const before = (await viewer.get("/api/fragile")).body;
    const seen = watchRow(host);
    const ending = viewer.post("/api/fragile/end", { how });
    const others = await Promise.all(Array.from({ length: 5 }, () => viewer.get("/healthz")));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await ending).toMatchObject({
      status: 503,
      body: { code: "kernel/isolated-ended", error: expect.stringMatching(said) },
    });
    await expect.poll(() => rowOf(host).faults, { timeout: 10_000 }).toBe(1);
    const told = seen.find(({ state }) => state === "failed");
    expect(told).toMatchObject({ code: "kernel/isolated-ended", reason: expect.stringContaining("started again") });
    if (place) expect(told?.reason).toMatch(/in (?:Object\.|process\.)?(?:abort|exit) \(index\.js:\d+\)/);
    expect(told?.reason).toMatch(said);
    await expect.poll(async () => (await viewer.get("/api/fragile")).status, { timeout: 20_000 }).toBe(200);
    const after = (await viewer.get("/api/fragile")).body;
    expect(after.count).toBe(before.count);
    expect(rowOf(host).state).toBe("active");
    expect(await host.use(Count).count()).toBe(1);
    expect(starts).toHaveLength(1);
    if (!isRefused) return;
    const again = await viewer.post("/api/fragile/end", { how });
    expect(again).toMatchObject({ status: 503, body: { code: "kernel/input-refused" } });
  });

  it("is killed answers what is under way with 503, and holds up no transaction", async () => {
    await using host = await hostOf({ fence: "node", restartMs: [0] });
    const viewer = host.as("viewer");
    const { pid } = (await viewer.get("/api/fragile")).body;
    const events = await host.domains("viewer");
    const pending = viewer.post("/api/fragile/open");
    await events.until("fragile");
    process.kill(pid, "SIGKILL");
    expect(await pending).toMatchObject({ status: 503, body: { code: "kernel/isolated-ended" } });
    await expect.poll(async () => (await viewer.post("/api/fragile/notes")).status, { timeout: 20_000 }).toBe(200);
    expect((await viewer.get("/api/fragile")).body).toMatchObject({ count: 1 });
    expect((await viewer.get("/api/fragile")).body.pid).not.toBe(pid);
    await events.release();
  });

  it("is killed again and again is started later each time", async () => {
    await using host = await hostOf({ fence: "node", restartMs: [0, 400, 60_000] });
    const viewer = host.as("viewer");
    const killed = async () => process.kill((await viewer.get("/api/fragile")).body.pid, "SIGKILL");
    const runs = () => vi.waitUntil(async () => (await viewer.get("/api/fragile")).status === 200, { timeout: 20_000 });
    await killed();
    await vi.waitUntil(() => rowOf(host).faults === 1, { timeout: 20_000 });
    await runs();
    const from = Date.now();
    await killed();
    await vi.waitUntil(() => rowOf(host).faults === 2, { timeout: 20_000 });
    await runs();
    expect(Date.now() - from).toBeGreaterThan(390);
    await killed();
    await vi.waitUntil(() => rowOf(host).faults === 3, { timeout: 20_000 });
    await host.kernel.host.quiet();
    expect(await viewer.get("/api/fragile")).toMatchObject({ status: 503, body: { code: "kernel/isolated-ended" } });
    await host.disable("fragile");
    await host.enable("fragile");
    expect((await viewer.get("/api/fragile")).status).toBe(200);
  });

  it("leaves no process behind when the server stops meanwhile", async () => {
    const host = await hostOf({ restartMs: [60_000] });
    expect((await host.as("viewer").post("/api/fragile/end", { how: "exit" })).status).toBe(503);
    await host[Symbol.asyncDispose]();
    const all = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(all.split("\n").filter((line) => line.includes(path.join(folder, fragile.id)))).toEqual([]);
  });
});

describe("an isolated plugin that ends by itself five times", () => {
  const brief: TinyPlugin = {
    id: "brief",
    head: `function giveUp() { process.exit(4); }`,
    fields: migrations,
    activate: `
      const database = context.storage.database();
      await database.insertInto("note").values({ text: "start" }).execute();
      context.routes([defineRoute({ method: "GET", path: "/api/brief", summary: "look", handle: async () => (await database.selectFrom("note").selectAll().execute()).length })]);
      setTimeout(giveUp, 50);`,
  };

  it("is quarantined with its function and file, over restarts, until an administrator lets it run", async () => {
    await using bench = await Bench.open();
    await bench.publish(brief);
    await using host = await bench.host({
      isolated: ["brief"],
      kernel: { plugins: { isolation: { restartMs: [0] } } },
    });
    await install(host, packageOf(brief));
    const row = () => host.kernel.host.row("brief");
    await vi.waitUntil(() => row().state === "quarantined", { timeout: 60_000 });
    expect(row()).toMatchObject({
      faults: 5,
      reason: expect.stringMatching(/too often.*in .*giveUp.* \(index\.js:\d+\)/),
    });
    await host.restart();
    expect(row().state).toBe("quarantined");
    expect((await host.as("viewer").get("/api/brief")).status).toBe(404);
    await host.enable("brief");
    await vi.waitUntil(() => row().state === "quarantined", { timeout: 60_000 });
    expect(row().reason).toContain("giveUp");
  });
});
