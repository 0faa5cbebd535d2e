import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install, temporaryFolder, until, writePlugin } from "./support.js";

const long = process.env["LONGBOX_LONG_TESTS"] === "1";

describe("what a plugin leaves behind", () => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.open()));
  afterAll(() => bench[Symbol.asyncDispose]());

  it("is nothing, however careless the plugin, and what was open is named", async () => {
    await bench.publish({
      id: "careless",
      head: `import net from "node:net"; import fs from "node:fs"; import { Worker } from "node:worker_threads"; import { fileURLToPath } from "node:url";
        const file = fileURLToPath(import.meta.url);`,
      activate: `setInterval(() => {}, 1000); setTimeout(() => {}, 3_600_000);
        const server = net.createServer().listen(0, "127.0.0.1"); await new Promise((resolve) => server.once("listening", resolve));
        fs.watch(file); const worker = new Worker("setInterval(() => {}, 1000)", { eval: true }); await new Promise((resolve) => worker.once("online", resolve));
        process.on("SIGUSR2", () => {}); const stream = fs.createReadStream(file); await new Promise((resolve) => stream.once("open", resolve));
        globalThis.__careless = { server, worker, stream };`,
    });
    await using host = await bench.host();
    const before = { resources: resources(), listeners: process.listenerCount("SIGUSR2") };
    await install(host, "@longbox-test/careless");
    expect(process.listenerCount("SIGUSR2")).toBe(before.listeners + 1);
    const { body } = await host.as("admin").post("/api/plugins/careless/enabled", { enabled: false });
    const withoutPlace = (opened: string) => opened.replace(/ \(index\.js:\d+\)$/, "");
    expect(body.leftOpen.map(withoutPlace).sort()).toEqual([
      "a file watcher",
      'a listener of process "SIGUSR2"',
      expect.stringMatching(/^a server on 127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^a stream of .*index\.js$/),
      "a timeout",
      "a worker thread",
      "an interval",
    ]);
    const { server, worker, stream } = (globalThis as any).__careless;
    await until(() => !server.listening && worker.threadId === -1 && stream.closed);
    expect(process.listenerCount("SIGUSR2")).toBe(before.listeners);
    await until(() => JSON.stringify(resources()) === JSON.stringify(before.resources)).catch(() =>
      expect(resources()).toEqual(before.resources),
    );
  });

  it("does not include what a plugin has closed itself, or what the kernel opened for it", async () => {
    await bench.publish({
      id: "tidy",
      manifest: { events: [{ domain: "tidy" }] },
      fields: `deactivate() { clearInterval(globalThis.__tidy); }, migrations: [statements("0001", ["CREATE TABLE note (text TEXT)"])]`,
      activate: `globalThis.__tidy = setInterval(() => {}, 1000); context.changed("tidy");
        const document = await context.storage.document("kept", (await import("zod")).z.object({ n: (await import("zod")).z.number().default(0) })); await document.update(() => ({ n: 1 }));
        await context.storage.reader().selectFrom("note").selectAll().execute();`,
    });
    await using host = await bench.host();
    await install(host, "@longbox-test/tidy");
    const { body } = await host.as("admin").post("/api/plugins/tidy/enabled", { enabled: false });
    expect(body.leftOpen).toBeUndefined();
    const domains = await host.domains("viewer");
    await host.enable("tidy");
    await domains.until("tidy");
    await domains.release();
  });

  it(
    `is no memory, no handle and no listener after ${long ? 1_000 : 250} times off and on`,
    { timeout: 120_000 },
    async () => {
      await using folder = await temporaryFolder();
      await writePlugin(path.join(folder.path, "cycled"), {
        id: "cycled",
        manifest: {
          provides: { cycled: "1.0.0" },
          events: [{ domain: "cycled" }],
          permissions: [{ key: "cycled.use", label: "Use", description: "", tier: "viewer" }],
        },
        activate: `context.provide(contract("cycled", "1.0.0"), { async ping() { return "pong"; } }); context.changed("cycled"); setInterval(() => {}, 1000);
        ${answering("/api/cycled", { kept: "x".repeat(100) })}`,
      });
      await writePlugin(path.join(folder.path, "cycled-user"), {
        id: "cycled-user",
        manifest: { requires: { cycled: "^1.0.0" } },
        fields: `requires: { cycled: contract("cycled", "1.0.0") }`,
        activate: `await capabilities.cycled.ping();`,
      });
      await using host = await bench.host({
        storage: "memory",
        plugins: [path.join(folder.path, "cycled"), path.join(folder.path, "cycled-user")],
      });
      const cycle = async (times: number) => {
        for (let i = 0; i < times; i += 1) {
          await host.disable("cycled");
          await host.enable("cycled");
        }
      };
      const state = () => ({
        resources: resources(),
        listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
      });
      await cycle(250);
      const before = { heap: heapUsed(), ...state() };
      await cycle(long ? 1_000 : 250);
      const after = { heap: heapUsed(), ...state() };
      expect({ resources: after.resources, listeners: after.listeners }).toEqual({
        resources: before.resources,
        listeners: before.listeners,
      });
      expect(after.heap - before.heap).toBeLessThan(1_048_576);
    },
  );
});

/** What keeps the process running, without what this test's own requests keep open. */
function resources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter(
      (name) => !/^(TCPSocketWrap|Timeout|Immediate|FSReqCallback|FSReqPromise|CloseReq|TTYWrap|PipeWrap)$/.test(name),
    )
    .sort();
}

function heapUsed(): number {
  const gc = collectGarbage();
  for (let i = 0; i < 4; i += 1) gc();
  return process.memoryUsage().heapUsed;
}

/** V8's collector, which this test calls by its name. */
function collectGarbage(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
