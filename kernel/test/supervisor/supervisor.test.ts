import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { needsLongRun } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, temporaryFolder, until } from "../plugins/support.js";
import { Program } from "../plugins/program.js";

/** Whether the event loop stands still: a request gets no answer for half a second. */
const isSilent = (program: Program) =>
  fetch(`${program.url}/healthz`, { signal: AbortSignal.timeout(500) }).then(
    () => false,
    () => true,
  );
const kernelProcess = (data: string) => Number(readFileSync(path.join(data, "lock.pid"), "utf8"));

describe("the program and its supervisor", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish({ id: "calm", activate: answering("/api/calm", "calm") });
    await bench.publish({
      id: "wild",
      head: `import { EventEmitter } from "node:events"; const emitter = new EventEmitter();`,
      activate: `let bursts = 0; setInterval(() => { if (bursts > 0) { bursts -= 1; throw new Error("from a timer"); } }, 1);
        const go = { timer() { bursts += 1; }, promise() { void Promise.reject(new Error("from a promise")); },
          event() { emitter.once("x", () => { throw new Error("from an event"); }); setTimeout(() => emitter.emit("x"), 1); }, handler() { throw new Error("from a handler"); },
          async spin() { for (;;) await null; }, async loop() { await new Promise((resolve) => setTimeout(resolve, 5)); for (;;) Math.random(); }, exit() { process.exit(0); } };
        context.routes(Object.entries(go).map(([name, run]) => defineRoute({ method: "POST", path: "/api/wild/" + name, access: "viewer", summary: "goes wild", handle: async () => { await run(); return {}; } })));`,
    });
    await bench.publish({ id: "stuck", activate: `if (globalThis.__unstuck !== true) for (;;) Math.random();` });
    // Its code runs all the time, in between whatever others do.
    await bench.publish({
      id: "busy",
      activate: `const turn = async () => { await null; if (!context.signal.aborted) setImmediate(() => void turn()); }; void turn(); ${answering("/api/busy", "busy")}`,
    });
    await bench.publish({
      id: "deaf",
      head: `import { execSync } from "node:child_process"; import { createDiffieHellman, pbkdf2Sync } from "node:crypto"; import { readFileSync } from "node:fs";`,
      activate: `const go = { process() { execSync("exec sleep 60"); }, wait() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000); }, short() { execSync("sleep 2"); },
          query() { const base = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(":memory:"); base.exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"); },
          pipe() { execSync("mkfifo " + context.storage.folder + "/pipe"); readFileSync(context.storage.folder + "/pipe"); }, hashing() { pbkdf2Sync("a", "b", 2 ** 31 - 1, 64, "sha512"); },
          native() { createDiffieHellman(8192); } };
        context.routes(Object.entries(go).map(([name, run]) => defineRoute({ method: "POST", path: "/api/deaf/" + name, access: "viewer", summary: "blocks", handle: async () => { await new Promise((resolve) => setTimeout(resolve, 20)); run(); return {}; } })));`,
    });
    await bench.publish({
      id: "sleepy",
      head: `import { existsSync, writeFileSync } from "node:fs";`,
      activate: `const bed = context.storage.folder + "/bed"; if (existsSync(bed)) await new Promise(() => {});
        context.routes([defineRoute({ method: "POST", path: "/api/sleepy/lie-down", access: "viewer", summary: "sleeps from the next start on", handle: () => (writeFileSync(bed, ""), {}) })]);`,
    });
    await bench.publish({
      id: "blocking-import",
      head: `import { execSync } from "node:child_process"; import { existsSync } from "node:fs"; let isTrial = false; try { existsSync("/"); } catch { isTrial = true; } if (!isTrial && existsSync(process.env.LONGBOX_DATA + "/now")) execSync("exec sleep 60");`,
    });
    await bench.publish({
      id: "sticky",
      manifest: { publicRoutes: ["GET /api/sticky"] },
      activate: `context.routes([defineRoute({ method: "GET", path: "/api/sticky", access: "public", summary: "loops for some", handle: async ({ header }) => { await null; while (header("x-loop") === "yes"); return {}; } })]);`,
    });
    await bench.publish({
      id: "endless",
      head: `import { migration } from "@longbox/sdk"; let runs = 0;`,
      // The first run only tells what the step is made of.
      fields: `migrations: [migration("0001-endless", async ({ schema, types }) => {
        await schema.createTable("note").addColumn("text", types.text).execute();
        if ((runs += 1) > 1) await new Promise(() => setInterval(() => {}, 1000));
      })]`,
    });
    await bench.publish({ id: "steady", package: "@longbox/steady", activate: answering("/api/steady", "steady") });
    await bench.publish({
      id: "bomb",
      activate: `context.routes([defineRoute({ method: "POST", path: "/api/bomb", access: "viewer", summary: "ends the process", handle: () => process.abort() })]);`,
    });
    // It needs a processor for half a second, however long it waits for it.
    await bench.publish({
      id: "diligent",
      activate: `context.routes([defineRoute({ method: "POST", path: "/api/diligent", access: "viewer", summary: "works", handle: async () => {
        await null;
        const [begun, end] = [Date.now(), process.threadCpuUsage().user + 500_000];
        while (process.threadCpuUsage().user < end);
        return { tookMs: Date.now() - begun };
      } })]);`,
    });
    await bench.publish({
      id: "reading",
      // What others read, a process of its own reads.
      package: "@longbox/endless",
      head: `import { sql } from "kysely";`,
      activate: `
        const reader = context.storage.reader();
        const given = new AbortController();
        const never = () => sql\`with recursive n (v) as (select 1 union all select v + 1 from n) select count(*) from n\`.execute(reader, { signal: given.signal });
        // The thread has to start first; after a second of computing it is SQLite that computes.
        const isBusy = async () => { const before = process.cpuUsage().user; while (process.cpuUsage().user - before < 1e6) await new Promise((resolve) => setTimeout(resolve, 10)); };
        const reads = async () => { const ending = never().then(() => "it ended", (fault) => fault.message); await isBusy(); return { ending }; };
        const go = {
          gives: async () => { const { ending } = await reads(); given.abort(new Error("given up")); if ((await ending) !== "given up") throw new Error(await ending); },
          leaves: reads,
        };
        context.routes(Object.entries(go).map(([name, run]) => defineRoute({ method: "POST", path: "/api/reading/" + name, access: "viewer", summary: "reads without end", handle: async () => { await run(); return {}; } })));`,
    });
    await bench.publish({ id: "stillborn", activate: `throw new Error("from activate");` });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const start = (data: string) =>
    Program.start({ LONGBOX_DATA: data, LONGBOX_REGISTRY: bench.registry.url, LONGBOX_BLOCKED_MS: "1000" });
  const install = (program: Program, name: string) =>
    program.admin.post("/api/plugins/install", { name: `@longbox-test/${name}`, accept: true });

  it("names the plugin whose timer, promise, event or handler throws, serves on, and switches it off at the limit", async () => {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    await install(program, "calm");
    await install(program, "wild");
    for (const kind of ["timer", "promise", "event", "handler"]) {
      const before = (await program.admin.get("/api/plugins/wild")).body.faults;
      expect((await program.admin.post(`/api/wild/${kind}`)).status).toBe(kind === "handler" ? 500 : 200);
      await until(async () => (await program.admin.get("/api/plugins/wild")).body.faults === before + 1);
    }
    expect((await program.admin.get("/api/plugins/calm")).body.faults).toBe(0);
    const stillborn = (await install(program, "stillborn")).body;
    expect(stillborn).toMatchObject({ state: "failed", reason: "from activate" });
    // Its routes are gone as soon as it is switched off, which may be before the last of them.
    for (let i = 0; i < 20; i += 1) expect([200, 404]).toContain((await program.admin.post("/api/wild/timer")).status);
    await until(async () => (await program.admin.get("/api/plugins/wild")).body.state === "quarantined");
    expect((await program.admin.get("/api/plugins/wild")).body.reason).toContain("from a timer");
    expect((await program.admin.get("/api/calm")).body).toBe("calm");
    expect(
      (await program.admin.get("/api/plugins")).body.map((row: { name: string; state: string }) => [
        row.name,
        row.state,
      ]),
    ).toEqual([
      ["calm", "active"],
      ["stillborn", "failed"],
      ["wild", "quarantined"],
    ]);
  });

  it("starts the kernel again when a request makes a plugin loop for ever, while connections wait, and refuses that request", async () => {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    await install(program, "calm");
    await install(program, "wild");
    const looping = program.admin.post("/api/wild/loop");
    await until(() => isSilent(program));
    expect((await again(() => program.admin.get("/api/calm"))).body).toBe("calm");
    expect(await looping).toMatchObject({ status: 503, body: { code: "kernel/held-up" } });
    await isRefused(program, "wild", "loop");
    expect((await program.admin.post("/api/wild/timer")).status).toBe(200);
    // An admin who has looked at it tries again.
    await program.admin.post("/api/plugins/wild/enabled", { enabled: true });
    expect((await program.admin.post("/api/wild/loop")).status).toBe(503);
    await isRefused(program, "wild", "loop");
  });

  it("names the file and the function of a plugin that lets nothing else run but its own promises", async () => {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    await install(program, "wild");
    const spinning = program.admin.post("/api/wild/spin");
    await until(() => isSilent(program));
    await isRefused(program, "wild", "spin");
    expect(await spinning).toMatchObject({ status: 503, body: { code: "kernel/held-up" } });
    const { body: trail } = await program.admin.get("/api/plugins/audit");
    expect(trail[0]).toMatchObject({ action: "blocked", plugin: "wild" });
    expect(trail[0].reason).toMatch(/in (\w+\.)?spin \(index\.js:\d+\)/);
  });

  it("switches a plugin off that different requesters get stuck with different requests", async () => {
    await using data = await temporaryFolder();
    await using program = await Program.start({
      LONGBOX_DATA: data.path,
      LONGBOX_REGISTRY: bench.registry.url,
      LONGBOX_BLOCKED_MS: "1000",
      TRUST_PROXY: "loopback",
    });
    await install(program, "sticky");
    const ask = async (from: string, query: string, loop = "no") => {
      const headers = { "x-forwarded-for": from, "x-loop": loop };
      const answer = await fetch(`${program.url}/api/sticky?${query}`, { headers });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    const state = async () => (await again(() => program.admin.get("/api/plugins/sticky"))).body.state as string;
    const refused = [503, "kernel/input-refused"];
    await ask("203.0.113.1", "a", "yes").catch(() => undefined);
    expect(await state()).toBe("active");
    expect(await again(() => ask("203.0.113.1", "a"))).toEqual(refused);
    // What is asked for by its address alone is refused to all users; other requests are answered.
    expect(await ask("203.0.113.2", "a")).toEqual(refused);
    expect(await ask("203.0.113.2", "b")).toEqual([200, undefined]);
    await ask("203.0.113.2", "b", "yes").catch(() => undefined);
    expect(await state()).toBe("active");
    await again(() => ask("203.0.113.3", "other")).catch(() => undefined);
    await ask("203.0.113.3", "c", "yes").catch(() => undefined);
    expect(await state()).toBe("quarantined");
  });

  it("lets a plugin that keeps the server waiting for a while go on, and leaves no debugger open", async () => {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    await install(program, "deaf");
    expect((await program.admin.post("/api/deaf/short")).status).toBe(200);
    const port = () => /Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(program.log.join("\n"))?.[1];
    await until(() => port() !== undefined);
    await until(() =>
      fetch(`http://127.0.0.1:${port()}/json/list`).then(
        () => false,
        () => true,
      ),
    );
    expect((await program.admin.get("/api/plugins/deaf")).body).toMatchObject({ state: "active" });
  });

  async function refusesTheStuck(how: string): Promise<void> {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    for (const name of ["busy", "deaf"]) await install(program, name);
    const answer = await program.admin.post(`/api/deaf/${how}`).then(
      ({ status }) => status,
      () => "none",
    );
    // A thread that only waits can be interrupted, so that it answers before it is killed.
    expect(answer).toBe(how === "wait" ? 503 : "none");
    await isRefused(program, "deaf", how);
    expect((await program.admin.get("/api/plugins/busy")).body).toMatchObject({ state: "active", faults: 0 });
  }
  it.each(["process"])(
    "starts the kernel again, and refuses the request that got a plugin stuck outside of JavaScript (%s)",
    { timeout: 60_000 },
    refusesTheStuck,
  );
  it.each(["wait", "pipe", "hashing"])(
    "starts the kernel again, and refuses the request that got a plugin stuck outside of JavaScript (%s)",
    { ...needsLongRun, timeout: 60_000 },
    refusesTheStuck,
  );

  it(
    "does not blame a plugin for the time in which others have the processor",
    { ...needsLongRun, timeout: 120_000 },
    async () => {
      await using data = await temporaryFolder();
      await using program = await Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: bench.registry.url });
      await install(program, "diligent");
      const kernel = kernelProcess(data.path);
      // A tenth of a processor is left for it, also where each session gets the same share (`sched_autogroup_enabled`).
      const others = Array.from({ length: 10 * availableParallelism() }, () =>
        spawn("sh", ["-c", "while :; do :; done"], { detached: true, stdio: "ignore" }),
      );
      try {
        expect((await program.admin.post("/api/diligent")).body.tookMs).toBeGreaterThan(4_000);
      } finally {
        for (const other of others) other.kill("SIGKILL");
      }
      expect(kernelProcess(data.path)).toBe(kernel);
      expect((await program.admin.get("/api/plugins/diligent")).body).toMatchObject({ state: "active", faults: 0 });
    },
  );

  it.each(["blocking-import"])(
    "starts without the plugin that is stuck as soon as it is loaded (%s)",
    { ...needsLongRun, timeout: 60_000 },
    async (name) => {
      await using data = await temporaryFolder();
      await using program = await start(data.path);
      for (const one of ["calm", name]) await install(program, one);
      await writeFile(path.join(data.path, "now"), "");
      await program.admin.post("/api/restart");
      await until(
        async () => (await again(() => program.admin.get(`/api/plugins/${name}`))).body.state === "quarantined",
        40_000,
      );
      expect((await program.admin.get("/api/calm")).body).toBe("calm");
    },
  );

  it.each(["native", "query"])(
    "finds out at the second time which plugin blocks the thread without a report (%s)",
    { ...needsLongRun, timeout: 90_000 },
    async (how) => {
      await using data = await temporaryFolder();
      await using program = await start(data.path);
      for (const name of ["busy", "deaf"]) await install(program, name);
      await program.admin.post(`/api/deaf/${how}`).catch(() => undefined);
      expect((await again(() => program.admin.get("/api/plugins/deaf"))).body).toMatchObject({ state: "active" });
      expect(program.log.join("\n")).toContain("look more closely");
      await program.admin.post(`/api/deaf/${how}`).catch(() => undefined);
      await isRefused(program, "deaf", how);
      expect((await program.admin.get("/api/plugins/busy")).body).toMatchObject({ state: "active" });
    },
  );

  it("starts the kernel again when a request ends the process, and without the plugin that never comes back from its start", async () => {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    await install(program, "wild");
    await program.admin.post("/api/wild/exit").catch(() => undefined);
    await isRefused(program, "wild", "exit");
    expect(await install(program, "stuck")).toMatchObject({ status: 503, body: { code: "kernel/held-up" } });
    expect(await again(() => program.admin.get("/api/plugins/stuck"))).toMatchObject({
      body: { state: "quarantined", reason: expect.stringContaining("waiting") },
    });
  });

  it("starts without the plugins of other publishers when it ended five times for no known reason", async () => {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    await program.admin.post("/api/plugins/install", { name: "@longbox/steady" });
    await install(program, "bomb");
    for (let end = 0; end < 5; end += 1) {
      const before = kernelProcess(data.path);
      await again(() => program.admin.get("/api/steady"));
      await program.admin.post("/api/bomb").catch(() => undefined);
      await until(() => kernelProcess(data.path) !== before);
    }
    expect((await again(() => program.admin.get("/api/steady"))).body).toBe("steady");
    const bomb = () => program.admin.get("/api/plugins/bomb");
    expect((await bomb()).body).toMatchObject({ state: "failed", code: "kernel/held-back" });
    await program.admin.post("/api/plugins/bomb/enabled", { enabled: true });
    expect((await bomb()).body).toMatchObject({ state: "active" });
  });

  it("restarts when asked to, answering those who come meanwhile", async () => {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    await install(program, "calm");
    const before = kernelProcess(data.path);
    expect((await program.admin.post("/api/restart")).body).toEqual({ restarting: true });
    await until(() => kernelProcess(data.path) !== before);
    expect((await again(() => program.admin.get("/api/calm"))).body).toBe("calm");
  });

  it("answers again soon after a restart, health at once, also when one plugin does not come back from its start, and ends at once", async () => {
    await using data = await temporaryFolder();
    const program = await start(data.path);
    for (const name of ["calm", "sleepy"]) await install(program, name);
    expect((await program.admin.post("/api/sleepy/lie-down")).status).toBe(200);
    const before = kernelProcess(data.path);
    await program.admin.post("/api/restart");
    await until(() => kernelProcess(data.path) !== before, 20_000);
    let answers = false;
    const calm = again(() => program.admin.get("/api/calm")).finally(() => (answers = true));
    // The other plugin is waited for, and tells the client of no route that it is not there yet.
    expect((await again(() => program.admin.get("/healthz"))).body).toMatchObject({ ok: true, starting: true });
    expect(answers).toBe(false);
    expect((await calm).body).toBe("calm");
    await until(
      async () =>
        (await again(() => program.admin.get("/api/calm"))).body === "calm" &&
        (await program.admin.get("/api/plugins/sleepy")).body.state === "unsatisfied",
      25_000,
    );
    expect((await program.admin.get("/api/plugins/sleepy")).body.reason).toBe("It is being started.");
    const stopped = performance.now();
    await program[Symbol.asyncDispose]();
    // Its start would go on for 30 seconds, and so would an end that waits for it.
    expect(performance.now() - stopped).toBeLessThan(25_000);
  });

  it("restarts at once while a migration never ends, answers for that plugin in time, and lets go of it", async () => {
    await using data = await temporaryFolder();
    await using program = await start(data.path);
    await install(program, "calm");
    const installing = install(program, "endless").catch(() => undefined);
    // It is not there before its package is.
    const state = async () => {
      const { status, body } = await again(() => program.admin.get("/api/plugins/endless"));
      return status === 200 ? body.state : undefined;
    };
    await until(async () => (await state()) === "unsatisfied");
    const before = kernelProcess(data.path);
    expect((await program.admin.post("/api/restart")).body).toEqual({ restarting: true });
    await until(() => kernelProcess(data.path) !== before, 20_000);
    await until(async () => (await again(() => program.admin.get("/api/calm"))).body === "calm", 20_000);
    await installing;
    await until(async () => (await state()) === "unsatisfied");
    expect((await program.admin.post("/api/plugins/endless/enabled", { enabled: false })).status).toBe(200);
    expect((await program.admin.post("/api/plugins/calm/enabled", { enabled: false })).status).toBe(200);
    expect(await state()).toBe("disabled");
  });

  it("ends with everything it started, on a signal and when its parent is gone", async () => {
    await using data = await temporaryFolder();
    const program = await start(data.path);
    const kernel = kernelProcess(data.path);
    program.process.disconnect();
    await once(program.process, "exit");
    await until(() => !runs(kernel));
    const again = await start(data.path);
    const second = kernelProcess(data.path);
    again.process.kill("SIGKILL");
    await once(again.process, "exit");
    await until(() => !runs(second));
    await using third = await start(data.path);
    third.process.kill("SIGTERM");
    expect((await once(third.process, "exit"))[0]).toBe(0);
  });

  it.each(["gives up", "leaves"])("ends in order while SQLite is busy when a plugin %s what it reads", async (how) => {
    await using data = await temporaryFolder();
    const program = await start(data.path);
    const kernel = kernelProcess(data.path);
    const installed = await program.admin.post("/api/plugins/install", { name: "@longbox/endless" });
    expect(installed.body).toMatchObject({ state: "active" });
    expect((await program.admin.post(`/api/reading/${how.replace(" up", "")}`)).status).toBe(200);
    // The plugin stops before its answer to what it reads.
    if (how === "leaves") await program.admin.post("/api/plugins/reading/enabled", { enabled: false });
    const ended = once(program.process, "exit");
    program.process.kill("SIGTERM");
    // One that has to be ended by force, after 45 s, exits with 1.
    expect((await ended)[0]).toBe(0);
    expect([runs(kernel), program.log.filter((line) => line.includes("failed in the background"))]).toEqual([
      false,
      [],
    ]);
  });

  it("says so and ends when the port is taken", async () => {
    await using data = await temporaryFolder();
    await using other = await temporaryFolder();
    await using program = await start(data.path);
    await expect(Program.start({ LONGBOX_DATA: other.path, LONGBOX_PORT: new URL(program.url).port })).rejects.toThrow(
      /EADDRINUSE|cannot listen/,
    );
    await expect(start(data.path)).rejects.toThrow(/in use by another Longbox/);
  });
});

/** The plugin runs, it is known whose fault it was, and the request is not tried again. */
async function isRefused(program: Program, plugin: string, how: string): Promise<void> {
  const { body } = await again(() => program.admin.get(`/api/plugins/${plugin}`));
  expect([body.state, body.faults]).toEqual(["active", 1]);
  expect(await program.admin.post(`/api/${plugin}/${how}`)).toMatchObject({
    status: 503,
    body: { code: "kernel/input-refused", details: { plugin } },
  });
  await until(async () => program.log.join("\n").includes("The server was started again because of a request."));
}

/**
 * A connection that was open when the kernel died is found dead by the first request on it; the second opens another.
 */
function again<T>(ask: () => Promise<T>): Promise<T> {
  return ask().catch(ask).catch(ask);
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
