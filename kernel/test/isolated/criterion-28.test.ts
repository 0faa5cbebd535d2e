// Criterion 28 of the plugin host: what is not granted to an isolated plugin fails, and its end is its own.
import { existsSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeFence } from "../../src/plugins/isolated/fence/fence.js";
import { Program } from "../plugins/program.js";
import { answering, Bench, install, packageOf, temporaryFolder, until, type TinyPlugin } from "../plugins/support.js";

const requestsPerSecond = 200;

const prisoner: TinyPlugin = {
  id: "prisoner",
  head: `import { z } from "zod"; import fs from "node:fs"; import net from "node:net"; import { createRequire } from "node:module"; import { spawnSync } from "node:child_process"; import { Worker } from "node:worker_threads";
    const attempt = async (work) => { try { return { done: String(await work()).slice(0, 200) }; } catch (fault) { return { refused: fault.code ?? fault.message }; } };
    const connect = (port) => new Promise((resolve, reject) => net.connect(port, "127.0.0.1", () => resolve("connected")).on("error", reject));`,
  fields: `settings: z.object({ address: z.string().default("").meta({ title: "Address" }) })`,
  activate: `
    const { folder } = context.storage;
    const text = async (url) => (await context.fetch(url)).text();
    const attempts = ({ data, port, other }) => ({
      hostname: () => fs.readFileSync("/etc/hostname", "utf8"),
      importing: () => import("/etc/hostname"),
      data: () => fs.readdirSync(data),
      settings: () => fs.readFileSync(data + "/settings.json", "utf8"),
      otherPlugin: () => fs.readdirSync(other),
      writing: () => fs.writeFileSync(data + "/intruder", "x"),
      makingLinks: () => fs.symlinkSync("/etc", folder + "/made"),
      followingLinks: () => fs.readFileSync(folder + "/link/hostname", "utf8"),
      child: () => { const { error, stdout } = spawnSync("/bin/cat", ["/etc/hostname"]); if (error) throw error; return stdout; },
      worker: () => new Promise((resolve, reject) => new Worker("process.exit()", { eval: true }).on("exit", resolve).on("error", reject)),
      builtinFs: () => process.getBuiltinModule("node:fs").readFileSync("/etc/hostname", "utf8"),
      builtinChild: () => process.getBuiltinModule("node:child_process").execFileSync("/bin/true"),
      builtinSqlite: () => { const { DatabaseSync } = process.getBuiltinModule("node:sqlite") ?? {}; return new DatabaseSync(data + "/database.json"); },
      addon: () => { fs.writeFileSync(folder + "/own.node", "no addon"); return createRequire(import.meta.url)(folder + "/own.node"); },
      dlopen: () => process.dlopen({ exports: {} }, folder + "/own.node"),
      inspector: async () => (await import("node:inspector")).open(0),
      socket: () => connect(port),
      fetching: () => fetch("http://127.0.0.1:" + port + "/secret"),
      listening: () => new Promise((resolve, reject) => net.createServer().once("error", reject).listen(0, resolve)),
      datagram: () => { const socket = process.getBuiltinModule("node:dgram").createSocket("udp4"); try { socket.send("x", port, "127.0.0.1"); } finally { socket.close(); } },
      looking: () => process.getBuiltinModule("node:dns").promises.resolve("localhost"),
      signal: () => process.kill(process.ppid, 0),
      debugging: () => process._debugProcess(process.ppid),
      loopback: () => text("http://127.0.0.1:" + port + "/secret"),
      named: () => text("http://localhost:" + port + "/secret"),
      rebound: () => text("http://rebound.example:" + port + "/secret"),
      redirected: () => text(context.settings.current.address + "/inside"),
    });
    const kept = [];
    context.routes([
      defineRoute({ method: "POST", path: "/api/prisoner", access: "library.view", summary: "tries everything", body: z.object({ data: z.string(), other: z.string(), port: z.number() }),
        handle: async ({ body }) => {
          const tried = {};
          for (const [name, work] of Object.entries(attempts(body))) tried[name] = await attempt(work);
          return { tried, environment: JSON.stringify(process.env), own: fs.readdirSync(folder), fetched: await text(context.settings.current.address + "/open") };
        } }),
      defineRoute({ method: "GET", path: "/api/prisoner", summary: "answers", handle: () => ({ folder }) }),
      defineRoute({ method: "POST", path: "/api/prisoner/abort", access: "library.view", summary: "ends", handle: () => process.abort() }),
      defineRoute({ method: "POST", path: "/api/prisoner/leak", access: "library.view", summary: "takes memory", handle: () => { for (;;) kept.push(Buffer.alloc(10_000_000, 1)); } }),
    ]);`,
};
const neighbour: TinyPlugin = {
  id: "neighbour",
  activate: `await import("node:fs/promises").then(({ writeFile }) => writeFile(context.storage.folder + "/secret", "secret")); ${answering("/api/neighbour", "calm")}`,
};

let bench: Bench;
let inForce: string;
beforeAll(async () => {
  inForce = (await probeFence()) === "bubblewrap" ? "bubblewrap" : "node-permissions";
  bench = await Bench.open();
  for (const plugin of [prisoner, neighbour]) await bench.publish(plugin);
});
afterAll(() => bench[Symbol.asyncDispose]());

/** A server in this network. */
async function innerServer(redirectsTo = 0) {
  const seen: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    seen.push(url);
    if (url === "/inside") response.writeHead(302, { location: `http://localhost:${redirectsTo}/secret` });
    response.end(url === "/open" ? "open" : "secret");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, port, [Symbol.asyncDispose]: async () => void (await new Promise((end) => server.close(end))) };
}

/** Makes a name lead to this machine, as one does that its owner has pointed elsewhere. */
const rebinding = `import dns from "node:dns"; import { syncBuiltinESMExports } from "node:module";
const real = dns.lookup;
dns.lookup = (name, options, done = options) => {
  if (name !== "rebound.example") return real(name, options, done);
  process.nextTick(() => (options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4)));
};
syncBuiltinESMExports();`;

/** Asks for something unrelated so often in a second, until the work has ended. @returns how often, and what failed */
async function underLoad(ask: () => Promise<number>, work: () => Promise<void>) {
  const asked: Promise<void>[] = [];
  const failed: unknown[] = [];
  let goesOn = true;
  const load = (async () => {
    for (const from = performance.now(); goesOn; await pause(5)) {
      // Counted once in each turn: where asking takes longer than it may, the loop would never end.
      const due = ((performance.now() - from) * requestsPerSecond) / 1_000;
      while (asked.length < due)
        asked.push(
          ask().then(
            (status) => void (status === 200 || failed.push(status)),
            (fault: unknown) => void failed.push(fault),
          ),
        );
    }
  })();
  await work().finally(() => (goesOn = false));
  await load;
  await Promise.all(asked);
  return { count: asked.length, failed };
}

/** Which attempts were not refused. */
const doneOf = (tried: Record<string, { done?: string }>) =>
  Object.entries(tried).filter(([, outcome]) => outcome.done !== undefined);

describe("an isolated plugin without grants (criterion 28)", () => {
  it.each([["the folder of the test", process.cwd()] as const, ["/", "/"] as const])(
    "reaches nothing, and its abort and its memory are its own; the server was started in %s",
    async (_, cwd) => {
      await using data = await temporaryFolder();
      await using inner = await innerServer();
      await using named = await innerServer(inner.port);
      const hook = path.join(data.path, "rebinding.mjs");
      await writeFile(hook, rebinding);
      const folder = path.join(data.path, "server");
      await using program = await Program.start(
        {
          LONGBOX_DATA: folder,
          LONGBOX_REGISTRY: bench.registry.url,
          LONGBOX_ISOLATED: "guests",
          LONGBOX_SECRET_FOR_TEST: "hidden",
          NODE_OPTIONS: `--import=${hook}`,
        },
        [],
        cwd,
      );
      const { admin } = program;
      for (const plugin of [neighbour, prisoner])
        expect(
          await admin.post("/api/plugins/install", { name: packageOf(plugin), accept: true }),
          plugin.id,
        ).toMatchObject({ status: 200, body: { state: "active", isolation: { mode: "process", fence: inForce } } });
      const address = `http://127.0.0.1:${named.port}`;
      expect((await admin.post("/api/settings", { prisoner: { address } })).status).toBe(200);

      const own = (await admin.get("/api/prisoner")).body.folder as string;
      const other = own.replace(`${path.sep}prisoner${path.sep}`, `${path.sep}neighbour${path.sep}`);
      expect([existsSync(own), path.relative(folder, own).startsWith("plugins")]).toEqual([true, true]);
      expect(other).not.toBe(own);
      // Links lead out of Node's permission model, but none can be made; behind bubblewrap they lead nowhere.
      if (inForce === "bubblewrap") await symlink("/etc", path.join(own, "link"));
      const { status, body } = await admin.post("/api/prisoner", { data: folder, other, port: inner.port });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.fetched).toBe("open");
      expect(body.environment).not.toContain("hidden");
      expect(body.environment).not.toContain("rebinding");
      expect(doneOf(body.tried)).toEqual([]);
      expect([inner.seen, named.seen]).toEqual([[], ["/inside", "/open"]]);

      const ends = await underLoad(
        async () => (await fetch(`${program.url}/api/neighbour`, { headers: { "x-setup-token": "let-me-in" } })).status,
        async () => {
          for (const how of ["abort", "leak"]) {
            await until(async () => (await admin.get("/api/prisoner")).status === 200);
            const ended = await admin.post(`/api/prisoner/${how}`);
            expect(ended).toMatchObject({ status: 503, body: { code: "kernel/isolated-ended" } });
          }
          await until(async () => (await admin.get("/api/prisoner")).status === 200);
        },
      );
      expect(ends.failed).toEqual([]);
      expect(ends.count).toBeGreaterThan(requestsPerSecond);
      expect((await admin.get("/api/plugins/neighbour")).body).toMatchObject({ state: "active", faults: 0 });
    },
    180_000,
  );

  it("opens no socket and signals no process where there is only Node's permission model", async () => {
    await using inner = await innerServer();
    await using named = await innerServer(inner.port);
    const isolation = { fence: "node" as const };
    await using host = await bench.host({ isolated: ["prisoner"], kernel: { plugins: { isolation } } });
    await install(host, packageOf(prisoner));
    const inside = { data: host.dataFolder, other: host.dataFolder, port: inner.port };
    const settings = { prisoner: { address: `http://127.0.0.1:${named.port}` } };
    expect((await host.as("admin").post("/api/settings", settings)).status).toBe(200);
    const { status, body } = await host.as("viewer").post("/api/prisoner", inside);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(doneOf(body.tried)).toEqual([]);
    expect([inner.seen, named.seen]).toEqual([[], ["/inside", "/open"]]);
  }, 60_000);
});
