// Where plugins run: what an administrator chooses, and what is the rule for packages of other publishers.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { contract, definePlugin } from "@longbox/sdk";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeFence } from "../../src/plugins/isolated/fence/fence.js";
import { Bench, install, packageOf, writePlugin, type TinyPlugin } from "../plugins/support.js";

interface Tally {
  count(): Promise<number>;
}
const TallyToken = contract<Tally>("tally", "1.0.0");

const tally: TinyPlugin = {
  id: "tally",
  manifest: { provides: { tally: "1.0.0" } },
  fields: `migrations: [{ name: "0001", up: ({ schema, types }) => schema.createTable("mark").addColumn("id", types.id, types.numbered).addColumn("pid", types.count).execute() }]`,
  activate: `
    const database = context.storage.database();
    const count = async () => (await database.selectFrom("mark").selectAll().execute()).length;
    context.provide(contract("tally", "1.0.0"), { count });
    context.routes([
      defineRoute({ method: "GET", path: "/api/tally", summary: "look", handle: async () => ({ pid: process.pid, count: await count() }) }),
      defineRoute({ method: "POST", path: "/api/tally", access: "library.view", summary: "add", handle: async () => {
        await database.insertInto("mark").values({ pid: process.pid }).execute();
        return {};
      } }),
    ]);`,
};
/** Needs a thread, which an isolated plugin has none of. */
const threaded: TinyPlugin = {
  id: "threaded",
  files: { "worker.js": "export default {};" },
  manifest: { workers: { worker: "worker.js" } },
  activate: `context.workerUrl("worker");
    context.routes([defineRoute({ method: "GET", path: "/api/threaded", summary: "look", handle: () => ({ pid: process.pid }) })]);`,
};

let bench: Bench;
let folder: string;
let inForce: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "longbox-choosing-"));
  inForce = (await probeFence()) === "bubblewrap" ? "bubblewrap" : "node-permissions";
  bench = await Bench.open();
  await bench.publish(tally);
  await bench.publish(threaded);
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const isolationOf = async (host: KernelTestHost, id = "tally") =>
  (await host.as("admin").get(`/api/plugins/${id}`)).body.isolation as object;
const choose = (host: KernelTestHost, isolation: string | null, id = "tally") =>
  host.as("admin").patch(`/api/plugins/${id}`, { isolation });

describe("an administrator", () => {
  it("moves a plugin into a process of its own and back while the server serves, also over restarts", async () => {
    await using host = await bench.host();
    await install(host, packageOf(tally));
    const viewer = host.as("viewer");
    expect(await isolationOf(host)).toEqual({ mode: "none", by: "default", fence: "none" });
    expect((await viewer.get("/api/tally")).body.pid).toBe(process.pid);

    const first = await whileAsked(host, async () => {
      const moved = await choose(host, "process");
      expect(moved.status).toBe(200);
      expect(moved.body.isolation).toEqual({ mode: "process", by: "admin", fence: inForce });
      expect((await viewer.get("/api/tally")).body.pid).not.toBe(process.pid);
    });
    await host.restart();
    expect(await isolationOf(host)).toEqual({ mode: "process", by: "admin", fence: inForce });
    const second = await whileAsked(host, async () => {
      expect((await host.as("viewer").get("/api/tally")).body.pid).not.toBe(process.pid);
      const back = await choose(host, null);
      expect(back.body.isolation).toEqual({ mode: "none", by: "default", fence: "none" });
    });
    expect([...first.failed, ...second.failed]).toEqual([]);
    expect((await host.as("viewer").get("/api/tally")).body).toEqual({
      pid: process.pid,
      count: first.acknowledged + second.acknowledged,
    });
    const audit = (await host.as("admin").get("/api/plugins/audit")).body as { action: string; reason?: string }[];
    expect(audit.filter(({ action }) => action === "isolate").map(({ reason }) => reason)).toEqual([
      "as usual",
      "process",
    ]);
  });

  it("is told why a plugin cannot be isolated, and it runs on", async () => {
    await using host = await bench.host();
    await install(host, packageOf(threaded));
    const refused = await choose(host, "process", "threaded");
    expect(refused).toMatchObject({
      status: 409,
      body: { code: "kernel/isolation-failed", error: expect.stringContaining("worker") },
    });
    expect(await isolationOf(host, "threaded")).toEqual({ mode: "none", by: "default", fence: "none" });
    expect((await host.as("viewer").get("/api/threaded")).body.pid).toBe(process.pid);
  });

  it("gets a clear answer to what is no choice", async () => {
    await using host = await bench.host({ plugins: [withoutPackage] });
    await install(host, packageOf(tally));
    expect(await choose(host, "outer space")).toMatchObject({
      status: 400,
      body: { code: "kernel/invalid-input", details: { isolation: expect.any(String) } },
    });
    expect(await choose(host, "process", "nothing")).toMatchObject({ status: 404 });
    expect(await choose(host, "process", "bare")).toMatchObject({ status: 409, body: { code: "kernel/no-package" } });
    const stranger = await host.as("viewer").patch("/api/plugins/tally", { isolation: "process" });
    expect(stranger.status).toBe(403);
    await host.disable("tally");
    expect((await choose(host, "process")).body.isolation).toEqual({ mode: "process", by: "admin" });
    await host.enable("tally");
    expect(await isolationOf(host)).toEqual({ mode: "process", by: "admin", fence: inForce });
  });

  it("finds the packages around a folder whose contracts the plugin uses", async () => {
    const [words, at] = [path.join(folder, "node_modules", "@longbox-test", "words"), path.join(folder, "speaker")];
    await writePlugin(words, {
      id: "words",
      files: { "index.js": `export const greeting = "hello"; export default {};` },
    });
    await writePlugin(at, {
      id: "speaker",
      head: `import { greeting } from "@longbox-test/words";`,
      activate: `context.routes([defineRoute({ method: "GET", path: "/api/speaker", access: "library.view", summary: "says", handle: () => ({ greeting, pid: process.pid }) })]);`,
      packageJson: { devDependencies: { "@longbox-test/words": "1.0.0" } },
    });
    await using host = await startKernelTestHost({ plugins: [at], isolated: ["speaker"] });
    const { body } = await host.as("viewer").get("/api/speaker");
    expect(body).toEqual({ greeting: "hello", pid: expect.any(Number) });
    expect(body.pid).not.toBe(process.pid);
  });

  it("moves plugins that run from a folder", async () => {
    const at = path.join(folder, tally.id);
    await writePlugin(at, tally);
    await using host = await startKernelTestHost({ plugins: [at, consumer] });
    expect((await choose(host, "process")).body.isolation.fence).toBe(inForce);
    expect((await host.as("viewer").get("/api/consumer")).body).toEqual({ count: 0, starts: 1 });
    expect((await choose(host, "none")).body.isolation).toEqual({ mode: "none", by: "admin", fence: "none" });
    expect((await host.as("viewer").get("/api/consumer")).body).toEqual({ count: 0, starts: 1 });
  });
});

describe("plugins of other publishers", () => {
  it("are isolated unless the server's setting or an administrator says otherwise", async () => {
    await using host = await bench.host({ kernel: { plugins: { isolation: { isolatesGuests: undefined } } } });
    await install(host, packageOf(tally));
    expect(await isolationOf(host)).toEqual({ mode: "process", by: "setting", fence: inForce });
    await host.as("admin").post("/api/settings", { server: { isolatedGuests: false } });
    await host.restart();
    expect(await isolationOf(host)).toEqual({ mode: "none", by: "default", fence: "none" });
  });

  it("fail with the reason where they cannot be isolated, until an administrator lets them run otherwise", async () => {
    await using host = await bench.host({ kernel: { plugins: { isolation: { isolatesGuests: undefined } } } });
    const row = await install(host, packageOf(threaded));
    expect(row).toMatchObject({
      state: "failed",
      code: "kernel/cannot-isolate",
      reason: expect.stringContaining("context.workerUrl"),
      isolation: { mode: "process", by: "setting" },
    });
    const moved = await choose(host, "none", "threaded");
    expect(moved.body).toMatchObject({ state: "active", isolation: { mode: "none", by: "admin", fence: "none" } });
    expect((await host.as("viewer").get("/api/threaded")).status).toBe(200);
  });
});

let starts = 0;
const consumer = {
  manifest: { id: "consumer", title: "Consumer", description: "", sdk: "^1.0.0", requires: { tally: "^1.0.0" } },
  plugin: definePlugin({
    requires: { tally: TallyToken },
    activate(capabilities, context) {
      starts += 1;
      context.routes([
        {
          method: "GET",
          path: "/api/consumer",
          access: "library.view",
          summary: "counts",
          handle: async () => ({ count: await capabilities.tally.count(), starts }),
        } as never,
      ]);
    },
  }),
};
const withoutPackage = {
  manifest: { id: "bare", title: "Bare", description: "", sdk: "^1.0.0" },
  plugin: definePlugin({ activate: () => undefined }),
};

/**
 * Reads and writes all the time while something is done.
 * @returns how many writes were acknowledged, and what failed
 */
async function whileAsked(host: KernelTestHost, work: () => Promise<void>) {
  const client = host.as("viewer");
  const failed: unknown[] = [];
  let [goesOn, acknowledged] = [true, 0];
  const ask = async () => {
    while (goesOn) {
      const [read, written] = await Promise.all([client.get("/api/tally"), client.post("/api/tally")]);
      if (written.status === 200) acknowledged += 1;
      if (read.status !== 200 || written.status !== 200) failed.push(read.body, written.body);
    }
  };
  const asking = Promise.all([ask(), ask(), ask()]);
  try {
    await work();
  } finally {
    goesOn = false;
    await asking;
  }
  return { failed, acknowledged };
}
