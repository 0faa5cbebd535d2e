// Several isolated plugins in one process, where an administrator has put them into one group.
import { execFileSync } from "node:child_process";
import path from "node:path";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IsolationTuning } from "../../src/plugins/host-tuning.js";
import { Bench, install, packageOf, until, writePlugin, type TinyPlugin } from "../plugins/support.js";

/** Notes what it is sent in tables and a file, says where it runs, and ends its process when it is asked to. */
const member = (id: string, version = "1.0.0"): TinyPlugin => ({
  id,
  version,
  manifest: id === "one" ? { hosts: ["localhost"] } : {},
  head: `import { writeFile, readFile, readdir } from "node:fs/promises"; import { z } from "zod";
    const ends = { abort() { process.abort(); }, exit() { process.exit(3); }, loop() { for (;;); }, leak() { const kept = []; for (;;) kept.push(Buffer.alloc(5_000_000, 1)); }, later() { setTimeout(() => { throw new Error("too late"); }, 1); } };`,
  fields: `migrations: [{ name: "0001", up: ({ schema, types }) => schema.createTable("note").addColumn("text", types.text).execute() }]`,
  activate: `
    const database = context.storage.database();
    const file = context.storage.folder + "/last.txt";
    const temporary = await context.storage.temporaryFolder();
    const cache = await context.storage.cache("notes", { maxBytes: 1_000_000 });
    const cached = async () => { const path = await cache.find("last"); return path ? readFile(path, "utf8") : ""; };
    context.routes([
      defineRoute({ method: "GET", path: "/api/${id}", summary: "look", handle: async () => ({
        version: "${version}", pid: process.pid,
        notes: (await database.selectFrom("note").select("text").execute()).map(({ text }) => text),
        last: await readFile(file, "utf8").catch(() => ""), while: await readFile(temporary + "/last.txt", "utf8").catch(() => ""),
        cached: await cached(), left: await readdir(temporary),
      }) }),
      defineRoute({ method: "POST", path: "/api/${id}", access: "library.view", summary: "note", body: z.object({ text: z.string() }), handle: async ({ body }) => {
        await database.insertInto("note").values(body).execute();
        await writeFile(file, body.text);
        await writeFile(temporary + "/last.txt", body.text);
        await writeFile(temporary + "/made.txt", body.text);
        await cache.take("last", temporary + "/made.txt");
        return {};
      } }),
      defineRoute({ method: "POST", path: "/api/${id}/fetched", access: "library.view", summary: "fetch", body: z.object({ url: z.string() }), handle: async ({ body }) => ({ status: (await context.fetch(body.url)).status }) }),
      defineRoute({ method: "POST", path: "/api/${id}/end", access: "library.view", summary: "end", body: z.object({ how: z.string() }), handle: ({ body }) => ends[body.how]() ?? {} }),
    ]);`,
});
/** Ends its process as soon as it starts, once a setting says so. */
const fatal: TinyPlugin = {
  id: "fatal",
  head: `import { existsSync } from "node:fs"; import { z } from "zod";`,
  activate: `
    const file = context.storage.folder + "/fatal";
    if (existsSync(file)) process.abort();
    const { writeFile } = await import("node:fs/promises");
    context.routes([defineRoute({ method: "POST", path: "/api/fatal", access: "library.view", summary: "arm", handle: async () => { await writeFile(file, ""); return {}; } })]);`,
};

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  for (const plugin of [member("one"), member("two"), member("two", "2.0.0"), member("three"), fatal])
    await bench.publish(plugin);
});
afterAll(() => bench[Symbol.asyncDispose]());

const hostOf = (...ids: string[]) => limitedHost(ids, {});

/** A host on which these plugins are isolated and in the group "pair". */
async function limitedHost(
  ids: readonly string[],
  limits: IsolationTuning["limits"] & object,
): Promise<KernelTestHost> {
  const host = await bench.host({ kernel: { plugins: { isolation: { restartMs: [50], limits } } } });
  for (const id of ids) {
    await install(host, packageOf({ id } as TinyPlugin), "1.0.0");
    const chosen = await choose(host, id, { isolation: "process", group: "pair" });
    expect(chosen).toMatchObject({ status: 200, body: { isolation: { mode: "process", group: "pair" } } });
  }
  return host;
}

const choose = (host: KernelTestHost, id: string, wanted: object) =>
  host.as("admin").patch(`/api/plugins/${id}`, wanted);
const look = async (host: KernelTestHost, id: string) => (await host.as("viewer").get(`/api/${id}`)).body;
const pidOf = async (host: KernelTestHost, id: string) => (await look(host, id)).pid as number;
const rowOf = (host: KernelTestHost, id: string) => host.kernel.host.row(id);
const runsAgain = (host: KernelTestHost, id: string, before: number) =>
  until(async () => {
    const { status, body } = await host.as("viewer").get(`/api/${id}`);
    return status === 200 && body.pid !== before;
  });

/** Asks a route all the time while something is done. @returns what failed */
async function whileAsked(host: KernelTestHost, route: string, work: () => Promise<unknown>): Promise<unknown[]> {
  const failed: unknown[] = [];
  let goesOn = true;
  const asking = (async () => {
    while (goesOn) {
      const { status, body } = await host.as("viewer").get(route);
      if (status !== 200) failed.push(body);
    }
  })();
  await work().finally(() => (goesOn = false));
  await asking;
  return failed;
}

describe("isolated plugins of one group", () => {
  it("share a process, each with its own data, until they are taken out of it", async () => {
    await using host = await hostOf("one", "two", "three");
    const pids = async () => Promise.all(["one", "two", "three"].map((id) => pidOf(host, id)));
    expect(new Set(await pids()).size).toBe(1);
    expect((await pids())[0]).not.toBe(process.pid);
    expect(rowOf(host, "two").isolation.sharedWith).toEqual(["one", "three"]);
    for (const id of ["one", "two"]) await host.as("viewer").post(`/api/${id}`, { text: `of ${id}` });
    for (const id of ["one", "two"])
      expect(await look(host, id)).toMatchObject({
        ...{ notes: [`of ${id}`], last: `of ${id}`, while: `of ${id}` },
        ...{ cached: `of ${id}`, left: ["last.txt"] },
      });

    await host.restart();
    expect(new Set(await pids()).size).toBe(1);
    expect(await look(host, "one")).toMatchObject({ notes: ["of one"], last: "of one", while: "", cached: "of one" });

    const failed = await whileAsked(host, "/api/one", () => choose(host, "two", { group: null }));
    expect(failed).toEqual([]);
    expect(await pidOf(host, "two")).not.toBe(await pidOf(host, "one"));
    expect(rowOf(host, "two").isolation).not.toHaveProperty("group");
    expect(rowOf(host, "one").isolation.sharedWith).toEqual(["three"]);
    const trail = (await host.as("admin").get("/api/plugins/audit")).body as { action: string; reason?: string }[];
    const reasons = trail.filter(({ action }) => action === "isolate").map(({ reason }) => reason);
    expect(reasons.slice(0, 2)).toEqual(["in no group", "process, in the group pair"]);
  });

  it("reach only the hosts that each of them names", async () => {
    await using host = await hostOf("one", "two");
    const url = new URL("/healthz", host.url.replace("127.0.0.1", "localhost")).href;
    expect(await pidOf(host, "one")).toBe(await pidOf(host, "two"));
    expect(await host.as("viewer").post("/api/one/fetched", { url })).toMatchObject({
      status: 200,
      body: { status: 200 },
    });
    expect((await host.as("viewer").post("/api/two/fetched", { url })).status).toBeGreaterThanOrEqual(400);
  });

  it("are upgraded and switched off without a failed request of the others, and meet again at the next start", async () => {
    await using host = await hostOf("one", "two", "three");
    const before = await pidOf(host, "one");
    const failed = await whileAsked(host, "/api/one", async () => {
      await install(host, packageOf(member("two")), "2.0.0");
      await host.disable("three");
    });
    expect(failed).toEqual([]);
    expect(await pidOf(host, "one")).toBe(before);
    expect(await look(host, "two")).toMatchObject({ version: "2.0.0" });
    expect(await pidOf(host, "two")).not.toBe(before);
    await host.restart();
    expect(await pidOf(host, "two")).toBe(await pidOf(host, "one"));
  });

  it.each(["abort", "exit", "later"])(
    "end together, and the one whose code did it (%s) is named and alone blamed",
    async (how) => {
      await using host = await hostOf("one", "two");
      const before = await pidOf(host, "one");
      const ended = await host.as("viewer").post("/api/two/end", { how });
      expect(ended.status).toBe(how === "later" ? 200 : 503);
      // What fails outside of a call ends nothing.
      if (how === "later") {
        await until(() => rowOf(host, "two").faults === 1);
        expect(rowOf(host, "one").faults).toBe(0);
        expect(await pidOf(host, "one")).toBe(before);
        return;
      }
      await Promise.all([runsAgain(host, "one", before), runsAgain(host, "two", before)]);
      expect([rowOf(host, "one").faults, rowOf(host, "two").faults]).toEqual([0, 1]);
      // Each is alone from then on.
      expect(await pidOf(host, "one")).not.toBe(await pidOf(host, "two"));
      expect(await host.as("viewer").post("/api/two/end", { how })).toMatchObject({ status: 503 });
      expect(await host.as("viewer").get("/api/one")).toMatchObject({ status: 200 });
    },
  );

  it.each([
    ["loops", "loop", { blockedMs: 3_000 }],
    ["takes too much memory", "leak", { memoryBytes: 400_000_000, blockedMs: 20_000 }],
  ] as const)(
    "end together when one of them %s, and the others are not blamed, and run on when it does so again",
    async (_, how, limits) => {
      await using host = await limitedHost(["one", "two"], limits);
      const before = await pidOf(host, "one");
      expect(await host.as("viewer").post("/api/two/end", { how })).toMatchObject({
        status: 503,
        body: { code: "kernel/isolated-ended" },
      });
      await Promise.all([runsAgain(host, "one", before), runsAgain(host, "two", before)]);
      expect(rowOf(host, "one").faults).toBe(0);
      const alone = await pidOf(host, "one");
      expect(await pidOf(host, "two")).not.toBe(alone);
      expect((await host.as("trusted").post("/api/two/end", { how })).status).toBe(503);
      await until(() => rowOf(host, "two").faults > 0);
      expect([await pidOf(host, "one"), rowOf(host, "one").faults]).toEqual([alone, 0]);
    },
  );

  it("end together when another program kills them, and none is blamed", async () => {
    await using host = await hostOf("one", "two");
    const before = await pidOf(host, "one");
    const reasons: (string | undefined)[] = [];
    host.kernel.host.onChanged(() => reasons.push(rowOf(host, "one").reason));
    process.kill(before, "SIGKILL");
    await Promise.all([runsAgain(host, "one", before), runsAgain(host, "two", before)]);
    expect([rowOf(host, "one").faults, rowOf(host, "two").faults]).toEqual([0, 0]);
    expect(reasons).toContainEqual(
      expect.stringMatching(/The process that it shared with "two" ended: .* Whose code ended it cannot be told\./),
    );
    expect(rowOf(host, "one").isolation).not.toHaveProperty("sharedWith");

    // An administrator brings them together again.
    await choose(host, "two", { group: null });
    await choose(host, "two", { group: "pair" });
    expect(await pidOf(host, "two")).toBe(await pidOf(host, "one"));
  });

  it("start without the one that ends their process at the start", async () => {
    await using host = await hostOf("one", "two", "fatal");
    await host.as("viewer").post("/api/fatal");
    await host.restart();
    await until(() => rowOf(host, "fatal").state === "failed");
    expect(rowOf(host, "fatal").reason).toMatch(/ended/);
    // They start again after it.
    for (const id of ["one", "two"]) await until(async () => (await look(host, id)).version === "1.0.0");
  });

  it("are those of packages: one under development has a process of its own", async () => {
    const folder = path.join(execFileSync("mktemp", ["-d"], { encoding: "utf8" }).trim(), "linked");
    await writePlugin(folder, member("linked"));
    await using host = await bench.host({ plugins: [folder] });
    expect(await choose(host, "linked", { group: "pair" })).toMatchObject({
      status: 409,
      body: { code: "kernel/no-package" },
    });
    expect(await choose(host, "linked", { group: "../pair" })).toMatchObject({ status: 400 });
    expect(await choose(host, "linked", {})).toMatchObject({ status: 400 });
  });
});
