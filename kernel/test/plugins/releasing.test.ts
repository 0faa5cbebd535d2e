import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, install, until } from "./support.js";

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
