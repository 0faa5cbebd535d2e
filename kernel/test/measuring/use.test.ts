import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, temporaryFolder, until } from "../plugins/support.js";
import { Program } from "../plugins/program.js";

const route = (path: string, handle: string) =>
  `defineRoute({ method: "GET", path: "/api/worker/${path}/:secret", access: "viewer", summary: "works", params, handle: ${handle} })`;

describe("what a plugin uses", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish({
      id: "worker",
      head: `import { z } from "zod"; import { migration } from "@longbox/sdk"; import { sql } from "kysely"; const params = z.object({ secret: z.string() });`,
      fields: `migrations: [migration("0001-note", ({ schema, types }) => schema.createTable("note").addColumn("text", types.text).execute())]`,
      activate: `const slow = () => new Promise((resolve) => setTimeout(resolve, 300));
        const database = context.storage.database();
        context.routes([
          ${route("quick", `() => database.selectFrom("note").selectAll().execute()`)},
          ${route("slow", `() => slow().then(() => ({}))`)},
          ${route("long", `() => sql\`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \${4_000_000}) SELECT count(*) FROM n\`.execute(database)`)},
          ${route("broken", `() => { throw new Error("broken"); }`)},
          ${route("endless", `({ signal }) => new Promise((_, reject) => { signal.addEventListener("abort", () => reject(signal.reason)); console.error("endless began"); })`)},
        ]);`.replaceAll(":secret", "{secret}"),
    });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("is counted by plugin, told by route, and what was slow is in the log once, without secrets", async () => {
    await using data = await temporaryFolder();
    await using program = await Program.start({
      LONGBOX_DATA: data.path,
      LONGBOX_REGISTRY: bench.registry.url,
      LONGBOX_SLOW_MS: "250",
    });
    const { admin, log } = program;
    expect((await admin.post("/api/plugins/install", { name: "@longbox-test/worker", accept: true })).status).toBe(200);
    for (let round = 0; round < 4; round += 1) await admin.get("/api/worker/quick/x");
    for (let round = 0; round < 2; round += 1) expect((await admin.get("/api/worker/slow/x")).status).toBe(200);
    expect((await admin.get("/api/worker/long/x")).status).toBe(200);
    expect((await admin.get("/api/worker/broken/x")).status).toBe(500);

    const leaving = new AbortController();
    const left = fetch(`${program.url}/api/worker/endless/x`, {
      headers: { "x-setup-token": "let-me-in" },
      signal: leaving.signal,
    }).catch(() => undefined);
    await until(async () => log.some((line) => line.includes("endless began")));
    leaving.abort();
    await left;
    const use = async () => (await admin.get("/api/plugins/worker/use")).body;
    await until(async () => (await use()).requests === 9);

    const used = await use();
    expect(used, "who went away has seen no failure").toMatchObject({ requests: 9, failures: 1 });
    expect(used.queries).toBeGreaterThanOrEqual(6);
    expect(used.requestSeconds).toBeGreaterThan(0.85);
    expect(used.querySeconds).toBeGreaterThan(0.2);
    expect((await admin.get("/api/plugins/no-such/use")).status).toBe(404);

    const metrics = (await admin.get("/api/metrics")).body as string;
    // It runs in the process of the server, whose memory is not divided among plugins.
    expect(used).not.toHaveProperty("memoryBytes");
    expect(metrics).not.toContain("longbox_plugin_memory_bytes{");
    expect(metrics).toContain('longbox_plugin_requests_total{plugin="worker"} 9');
    expect(metrics).toContain('longbox_plugin_failures_total{plugin="worker"} 1');
    expect(metrics).toMatch(/longbox_plugin_info\{plugin="worker",version="1\.0\.0",state="active"\} 1/);

    const slow = () =>
      log.map((line) => JSON.parse(line.startsWith("{") ? line : "{}")).filter(({ category }) => category === "slow");
    await until(async () => slow().some(({ statement }) => statement !== undefined));
    const requests = slow().filter(
      ({ msg, plugin }) => plugin === "worker" && /^GET \/api\/worker\/slow\/x took \d+ ms\.$/.test(msg),
    );
    expect(requests, "the second one is the same route").toHaveLength(1);
    const [query] = slow().filter(({ statement }) => statement !== undefined);
    expect(query).toMatchObject({
      plugin: "worker",
      statement: expect.stringMatching(/^WITH RECURSIVE n/) as string,
    });
    expect(JSON.stringify(slow()), "values of parameters").not.toContain("4000000");
  });

  it("draws the dashboard from measurements that exist, the memory of a plugin's own process among them", async () => {
    await using data = await temporaryFolder();
    await using program = await Program.start({
      LONGBOX_DATA: data.path,
      LONGBOX_REGISTRY: bench.registry.url,
      LONGBOX_ISOLATED: "guests",
    });
    await program.admin.post("/api/plugins/install", { name: "@longbox-test/worker", accept: true });
    const read = async () => (await program.admin.get("/api/metrics")).body as string;
    // The process is weighed a moment after its start.
    await until(async () => (await read()).includes("longbox_plugin_memory_bytes{"));
    const metrics = await read();
    const told = Number(/^longbox_plugin_memory_bytes\{plugin="worker"\} (\d+)$/m.exec(metrics)?.[1]);
    const { memoryBytes } = (await program.admin.get("/api/plugins/worker/use")).body;
    for (const bytes of [told, memoryBytes]) {
      expect(bytes).toBeGreaterThan(10_000_000);
      expect(bytes).toBeLessThan(512_000_000);
    }
    const there = new Set(metrics.split("\n").flatMap((line) => /^([a-z_]+)[{ ]/.exec(line)?.[1] ?? []));
    const dashboard = await readFile(new URL("../../monitoring/grafana-dashboard.json", import.meta.url), "utf8");
    const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
    const named = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => [...expr.matchAll(/\b([a-z]+_[a-z_]+)\{/g)].map(([, name]) => name!)),
    );
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(there, name).toContain(name);
  });
});
