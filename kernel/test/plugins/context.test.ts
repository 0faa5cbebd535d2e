import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, getPriority } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definePlugin, type Releasable, type Topic } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { Program } from "./program.js";
import { Bench, install, temporaryFolder, until, writePlugin } from "./support.js";

const base = { title: "T", description: "", sdk: "^1.0.0" };

describe("what an activation may use", () => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.open()));
  afterAll(() => bench[Symbol.asyncDispose]());

  it("is threads that the manifest declares, on the host's packages, which end with the plugin", async () => {
    await bench.publish({
      id: "threaded",
      manifest: { workers: { echo: "echo.js" } },
      files: {
        "echo.js": `import { parentPort, workerData } from "node:worker_threads"; import { z } from "zod"; import { BadInput } from "@longbox/sdk";
        parentPort.on("message", (message) => { if (message === "die") throw new Error("as asked"); parentPort.postMessage({ echoed: z.string().parse(message), greeting: workerData.greeting, sdk: typeof BadInput }); });`,
      },
      activate: `const make = () => context.worker("echo", { greeting: "hello" }); let worker = make(); globalThis.__threaded = { ended: worker.ended.catch((failure) => failure.message) };
        context.routes([
          defineRoute({ method: "GET", path: "/api/threaded", summary: "asks the thread", handle: () => new Promise((resolve) => { const heard = worker.onMessage((message) => { void heard.release(); resolve(message); }); worker.post("ping"); }) }),
          defineRoute({ method: "POST", path: "/api/threaded/die", access: "viewer", summary: "ends the thread", handle: async () => { worker.post("die"); const ended = await globalThis.__threaded.ended; worker = make(); return { ended }; } })]);`,
    });
    await using host = await bench.host();
    await install(host, "@longbox-test/threaded");
    const viewer = host.as("viewer");
    expect((await viewer.get("/api/threaded")).body).toEqual({ echoed: "ping", greeting: "hello", sdk: "function" });
    expect((await viewer.post("/api/threaded/die")).body).toEqual({ ended: "as asked" });
    await until(() => host.kernel.host.row("threaded").faults === 1);
    expect((await viewer.get("/api/threaded")).body).toMatchObject({ echoed: "ping" });
    const { body } = await host.as("admin").post("/api/plugins/threaded/enabled", { enabled: false });
    expect(body.leftOpen).toBeUndefined();
    await until(() => !process.getActiveResourcesInfo().includes("Worker"));
  });

  it("and other handles leave nothing behind once they are released, or have ended by themselves", async () => {
    await bench.publish({
      id: "brief",
      manifest: { workers: { brief: "brief.js" } },
      files: {
        "brief.js": `import { parentPort } from "node:worker_threads"; parentPort.once("message", (message) => { if (message === "die") throw new Error("as asked"); parentPort.close(); });`,
      },
      activate: `const seen = []; const collect = vm.runInNewContext("gc"); const keep = (handle) => { seen.push(new WeakRef(handle)); return handle; };
        const once = async () => {
          await keep(context.worker("brief", undefined, { expendable: true })).release();
          for (const message of ["die", "end"]) { const worker = keep(context.worker("brief", undefined, { expendable: true })); worker.post(message); await worker.ended.catch(() => {}); }
          keep(context.topic("brief")).release(); keep(context.settings.onChange(() => {})).release();
        };
        context.routes([
          defineRoute({ method: "POST", path: "/api/brief", access: "viewer", summary: "makes and releases", handle: once }),
          defineRoute({ method: "GET", path: "/api/brief", summary: "counts what is kept", handle: () => { collect(); return { made: seen.length, kept: seen.filter((one) => one.deref() !== undefined).length }; } })]);`,
      head: `import vm from "node:vm"; import v8 from "node:v8"; v8.setFlagsFromString("--expose-gc");`,
    });
    await using host = await bench.host();
    await install(host, "@longbox-test/brief");
    const viewer = host.as("viewer");
    await viewer.post("/api/brief");
    await expect
      .poll(async () => (await viewer.get("/api/brief")).body, { timeout: 20_000 })
      .toEqual({ made: 5, kept: 0 });
  });

  it("is processes that the manifest's workers run in, with a limit of memory, without the server's environment", async () => {
    await bench.publish({
      id: "apart",
      manifest: { workers: { work: "work.js" } },
      files: {
        "work.js": `import { parentPort, workerData } from "node:worker_threads"; import { BadInput } from "@longbox/sdk"; const held = [];
        parentPort.on("message", (message) => { if (message === "grow") for (;;) held.push(Buffer.alloc(10_000_000, 1));
          parentPort.postMessage({ message, pid: process.pid, data: workerData, sdk: typeof BadInput, token: process.env.LONGBOX_SETUP_TOKEN ?? "none" }); });`,
      },
      activate: `const make = () => context.worker("work", { of: "mine" }, { processMegabytes: 300, expendable: true }); let worker = make();
        context.routes([
          defineRoute({ method: "GET", path: "/api/apart", summary: "asks the process", handle: () => new Promise((resolve) => { const heard = worker.onMessage((message) => { void heard.release(); resolve(message); }); worker.post(new Uint8Array([1, 2])); }) }),
          defineRoute({ method: "POST", path: "/api/apart/grow", access: "viewer", summary: "fills the memory", handle: async () => { worker.post("grow"); const code = await worker.ended.catch((failure) => failure.code); await worker.release(); worker = make(); return { code }; } })]);`,
    });
    await using host = await bench.host();
    await install(host, "@longbox-test/apart");
    const viewer = host.as("viewer");
    process.env["LONGBOX_SETUP_TOKEN"] = "secret";
    const asked = (await viewer.get("/api/apart")).body;
    delete process.env["LONGBOX_SETUP_TOKEN"];
    expect(asked).toMatchObject({ data: { of: "mine" }, sdk: "function", token: "none" });
    expect([Object.values(asked.message), asked.pid === process.pid]).toEqual([[1, 2], false]);
    expect((await viewer.post("/api/apart/grow")).body).toEqual({ code: "ERR_WORKER_OUT_OF_MEMORY" });
    const { pid } = (await viewer.get("/api/apart")).body;
    expect(host.kernel.host.row("apart").faults).toBe(0);
    const { body } = await host.as("admin").post("/api/plugins/apart/enabled", { enabled: false });
    expect(body.leftOpen).toBeUndefined();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("is threads that may be ended in the middle of zlib, where Node would abort the whole process", async () => {
    await using folder = await temporaryFolder();
    const inflating = `import { createInflateRaw, Gzip } from "node:zlib"; import { parentPort } from "node:worker_threads";
      if (!(new Gzip() instanceof Gzip)) throw new Error("a class is none any more"); parentPort.postMessage("begun"); for (;;) createInflateRaw().close();`;
    await writePlugin(join(folder.path, "plugin"), {
      id: "ending",
      manifest: { workers: { inflating: "inflating.js", nesting: "nesting.js" } },
      files: {
        "inflating.js": inflating,
        "nesting.js": `import { Worker, parentPort } from "node:worker_threads"; new Worker(new URL("./inflating.js", import.meta.url)).on("message", (message) => parentPort.postMessage(message));`,
      },
      activate: `const end = async (name) => {
          const worker = context.worker(name, undefined, { expendable: true });
          await new Promise((resolve) => worker.onMessage(resolve));
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 2));
          await worker.release();
        };
        context.routes([defineRoute({ method: "POST", path: "/api/ending/{name}", access: "viewer", summary: "ends threads", params: z.object({ name: z.string() }), handle: async ({ params: { name } }) => { for (let times = 0; times < 40; times++) await end(name); return { pid: process.pid }; } })]);`,
      head: `import { z } from "zod";`,
    });
    const data = join(folder.path, "data");
    await using program = await Program.start({ LONGBOX_DATA: data }, ["--plugin", join(folder.path, "plugin")]);
    const { body } = await program.admin.post("/api/ending/inflating");
    expect(body).toEqual({ pid: expect.any(Number) });
    expect((await program.admin.post("/api/ending/nesting")).body).toEqual(body);
  });

  it.runIf(process.platform === "linux")("is threads and processes that give way to the event loop", async () => {
    await bench.publish({
      id: "modest",
      manifest: { workers: { work: "work.js" } },
      files: {
        "work.js": `import { parentPort } from "node:worker_threads"; import { getPriority } from "node:os"; parentPort.postMessage(getPriority());`,
      },
      activate: `const ask = (limits) => new Promise((resolve) => context.worker("work", undefined, limits).onMessage(resolve));
        context.routes([defineRoute({ method: "GET", path: "/api/modest", summary: "asks", handle: async () => ({ thread: await ask(), process: await ask({ processMegabytes: 300 }) }) })]);`,
    });
    await using host = await bench.host();
    await install(host, "@longbox-test/modest");
    const own = getPriority();
    const { body } = await host.as("viewer").get("/api/modest");
    const lower = Math.min(constants.priority.PRIORITY_LOW, own + 10);
    expect([body, getPriority()]).toEqual([{ thread: lower, process: lower }, own]);
  });

  it("is the host's copy of a shared package, whatever the package carries itself", async () => {
    await bench.publish({
      id: "carrier",
      head: `import { createRequire } from "node:module"; import * as sdk from "@longbox/sdk"; import { z } from "zod"; import { own } from "own-package";`,
      files: {
        "node_modules/@longbox/sdk/package.json": JSON.stringify({
          name: "@longbox/sdk",
          version: "0.0.1",
          type: "module",
          exports: "./index.js",
        }),
        "node_modules/@longbox/sdk/index.js": `throw new Error("the private copy was loaded");`,
        "node_modules/zod/package.json": JSON.stringify({
          name: "zod",
          version: "0.0.1",
          type: "module",
          exports: "./index.js",
        }),
        "node_modules/zod/index.js": `throw new Error("the private copy was loaded");`,
        "node_modules/own-package/package.json": JSON.stringify({
          name: "own-package",
          version: "1.0.0",
          type: "module",
          exports: "./index.js",
        }),
        "node_modules/own-package/index.js": `export const own = "bundled";`,
      },
      activate: `globalThis.__carrier = { definePlugin: sdk.definePlugin, own, text: z.string().parse("x"), required: createRequire(import.meta.url)("zod").z.string().parse("y") };`,
    });
    await using host = await bench.host();
    expect(await install(host, "@longbox-test/carrier")).toMatchObject({ state: "active" });
    expect((globalThis as any).__carrier).toEqual({ definePlugin, own: "bundled", text: "x", required: "y" });
  });

  it("is a fetch that ends with the plugin, also in the middle of an answer", async () => {
    const server = createServer((_, response) => void response.write("begun"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    let reading: Promise<unknown> | undefined;
    const plugin = definePlugin({
      async activate(_, context) {
        const answer = await context.fetch(url);
        reading = answer.text().catch((failure: { code?: string }) => failure.code);
      },
    });
    await using host = await startKernelTestHost({ plugins: [{ manifest: { ...base, id: "fetcher" }, plugin }] });
    await host.disable("fetcher");
    expect(await reading).toBe("kernel/plugin-stopped");
    server.closeAllConnections();
    server.close();
  });

  it("is an event whose listeners do not disturb one another", async () => {
    let topic: Topic<number> | undefined;
    const heard: number[] = [];
    const plugin = definePlugin({
      activate(_, context) {
        topic = context.topic<number>("numbers");
        topic.subscribe(() => {
          throw new Error("the first listener fails");
        });
        topic.subscribe((n) => void heard.push(n));
      },
    });
    await using host = await startKernelTestHost({ plugins: [{ manifest: { ...base, id: "speaker" }, plugin }] });
    topic!.publish(1);
    expect(host.kernel.host.row("speaker").faults).toBe(1);
    await host.disable("speaker");
    expect(() => topic!.publish(2)).toThrow(expect.objectContaining({ code: "kernel/plugin-stopped" }));
    expect(heard).toEqual([1]);
  });

  it("is released newest first, and what comes too late is released at once", async () => {
    const released: string[] = [];
    const named = (name: string): Releasable => ({ release: () => void released.push(name) });
    let own: ((thing: Releasable) => Releasable) | undefined;
    const plugin = definePlugin({
      activate(_, context) {
        own = (thing) => context.own(thing);
        for (const name of ["first", "second", "third"]) context.own(named(name));
        context.signal.addEventListener("abort", () => released.push("signal"));
      },
      deactivate: () => void released.push("deactivate"),
    });
    await using host = await startKernelTestHost({ plugins: [{ manifest: { ...base, id: "owner" }, plugin }] });
    await host.disable("owner");
    expect(released).toEqual(["deactivate", "signal", "third", "second", "first"]);
    expect(() => own!(named("late"))).toThrow(/has stopped/);
    expect(released.at(-1)).toBe("late");
  });

  it("leaves nothing when activate fails half-way, and says why", async () => {
    const released: string[] = [];
    const plugin = definePlugin({
      activate(_, context) {
        context.own({ release: () => void released.push("thing") });
        throw new Error("half-way");
      },
    });
    await using host = await startKernelTestHost();
    host.kernel.host.linkDefinition({ ...base, id: "half" }, plugin);
    await host.enable("half");
    expect(host.kernel.host.row("half")).toMatchObject({ state: "failed", reason: "half-way", routes: [] });
    expect(released).toEqual(["thing"]);
  });
});
