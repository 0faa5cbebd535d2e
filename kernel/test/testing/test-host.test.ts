import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { definePlugin, defineRoute, migration, type PluginContext, type Route } from "@longbox/sdk";
import { startTestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { needsPostgres, startPostgres } from "@longbox/test/postgres";
import type { Generated } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

const count = z.object({ count: z.number() });

/** A host with a plugin of these routes. */
function hostOf(routes: readonly Route[] | ((context: PluginContext) => Route[]), options: TestHostOptions = {}) {
  const manifest = {
    id: "lamps",
    title: "Lamps",
    description: "Lamps of the library",
    sdk: "^1.0.0",
    permissions: [{ key: "lamps.dim", label: "Dim", description: "Dim the lamps", tier: "admin" as const }],
  };
  const activate = (_: unknown, context: PluginContext) =>
    context.routes(typeof routes === "function" ? routes(context) : routes);
  return startTestHost({ plugins: [{ manifest, plugin: definePlugin({ activate }) }], ...options });
}

const route = (handle: () => unknown, method: "GET" | "PUT" = "GET") =>
  defineRoute({
    method,
    path: "/api/lamps",
    summary: "Lamps",
    response: count,
    handle: handle as () => { count: number },
  });

describe("the test host", () => {
  it("fails a test whose route answers what its schema does not describe, naming the field", async () => {
    await using host = await hostOf([route(() => ({ count: "three" }))]);
    await expect(host.as("viewer").get("/api/lamps?a=1")).rejects.toThrow(/GET \/api\/lamps\?a=1 answered[^]*at count/);
    await using lenient = await hostOf([route(() => ({ count: "three" }))], { allowOtherAnswers: true });
    expect((await lenient.as("viewer").get("/api/lamps")).body).toEqual({ count: "three" });
  });

  it("writes the stack behind a status of 500 to the console", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      const breakIt = () => {
        throw new Error("The bulb broke.");
      };
      await using host = await hostOf([route(breakIt)]);
      expect((await host.as("viewer").get("/api/lamps")).status).toBe(500);
      expect(written.mock.calls.flat().join()).toMatch(
        /GET \/api\/lamps answered 500:\nError: The bulb broke\.\n +at .*breakIt.*test-host\.test\.ts:\d+/,
      );
    } finally {
      written.mockRestore();
    }
  });

  it("puts, and has users and roles of the test's own", async () => {
    const put = defineRoute({
      method: "PUT",
      path: "/api/lamps",
      access: "lamps.dim",
      summary: "Dim",
      body: count,
      response: z.object({ by: z.string() }),
      handle: ({ viewer }) => ({ by: viewer.user.username }),
    });
    await using host = await hostOf([put]);
    await host.role("lamplighter", ["lamps.dim"]);
    const ann = await host.user("ann", "lamplighter");
    expect((await ann.put("/api/lamps", { count: 1 })).body).toEqual({ by: "ann" });
    expect((await host.as("lamplighter").put("/api/lamps", { count: 1 })).body).toEqual({ by: "lamplighter" });
    expect((await (await host.user("bob")).put("/api/lamps", { count: 1 })).status).toBe(403);
    const users = (await host.as("admin").get("/api/users")).body as { id: number; username: string }[];
    expect(users.find(({ username }) => username === "ann")?.id).toBe(ann.id);
    await expect(host.user("cleo", "lamplihgter")).rejects.toThrow(/no role "lamplihgter"/);
  });

  it("runs plugins from their folders, also when they were not built", async () => {
    const parent = await mkdtemp(path.join(tmpdir(), "longbox-folders-"));
    try {
      await symlink(path.resolve(import.meta.dirname, "../../../node_modules"), path.join(parent, "node_modules"));
      const folders = await Promise.all(["lamps", "chairs"].map((id) => writePlugin(path.join(parent, id), id)));
      await using host = await startTestHost({ plugins: folders });
      const viewer = host.as("viewer");
      expect([(await viewer.get("/api/lamps")).body, (await viewer.get("/api/chairs")).body]).toEqual([
        "lamps",
        "chairs",
      ]);
    } finally {
      await rm(parent, { recursive: true });
    }
  });

  it("runs the tests on the engine that a variable names", async () => {
    vi.stubEnv("LONGBOX_TEST_STORAGE", "sqlite");
    try {
      await using host = await hostOf([]);
      const databases = (await readdir(host.dataFolder, { recursive: true })).filter((name) => /\.sqlite$/.test(name));
      expect(databases).toContain(path.join("kernel", "database.sqlite"));
      vi.stubEnv("LONGBOX_TEST_STORAGE", "paper");
      await expect(hostOf([])).rejects.toThrow(/"paper"; it can be memory or sqlite/);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

const lampTables = definePlugin({
  migrations: [
    migration("0001", async ({ schema, types }) => {
      await schema
        .createTable("lamp")
        .addColumn("id", types.id, types.numbered)
        .addColumn("name", types.text)
        .execute();
    }),
  ],
  activate(_, context) {
    const database = context.storage.database<{ lamp: { id: Generated<number>; name: string } }>();
    const names = z.array(z.string());
    const common = { path: "/api/lamps", summary: "Lamps" } as const;
    const all = async () => (await database.selectFrom("lamp").select("name").execute()).map(({ name }) => name);
    const add = ({ body }: { body: { name: string } }) => database.insertInto("lamp").values(body).execute().then(all);
    context.routes([
      defineRoute({ ...common, method: "GET", response: names, handle: all }),
      defineRoute({ ...common, method: "POST", body: z.object({ name: z.string() }), response: names, handle: add }),
    ]);
  },
});

describe("the engines of the test host", () => {
  const manifest = { id: "lamps", title: "Lamps", description: "Lamps", sdk: "^1.0.0" };

  it.for(["memory", "sqlite", "postgres"] as const)(
    "keep what a plugin writes, over a restart as well: %s",
    { timeout: 120_000 },
    async (engine, { skip }) => {
      if (engine === "postgres" && needsPostgres.skip) skip(needsPostgres.meta?.skipReason);
      await using server = engine === "postgres" ? await startPostgres() : undefined;
      const storage = server === undefined ? (engine as "memory" | "sqlite") : { postgres: server.url };
      await using host = await startTestHost({ plugins: [{ manifest, plugin: lampTables }], storage });
      expect((await host.as("trusted").post("/api/lamps", { name: "Argand" })).body).toEqual(["Argand"]);
      const files = (await readdir(host.dataFolder, { recursive: true })).filter((name) => name.endsWith(".sqlite"));
      expect(files.some((name) => name.includes("lamps"))).toBe(engine === "sqlite");
      await host.restart();
      expect((await host.as("viewer").get("/api/lamps")).body).toEqual(["Argand"]);
      if (server === undefined) return;
      await server.stop();
      expect((await host.as("viewer").get("/api/lamps")).status).toBeGreaterThanOrEqual(500);
      await server.start();
    },
  );
});

async function writePlugin(folder: string, id: string): Promise<string> {
  const longbox = { id, title: id, description: id, sdk: "^1.0.0" };
  const exported = { ".": "./dist/index.js" };
  const manifest = {
    name: id,
    version: "1.0.0",
    type: "module",
    keywords: ["longbox-plugin"],
    exports: exported,
    longbox,
  };
  await mkdir(path.join(folder, "src"), { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(path.join(folder, "src/name.ts"), `export const name: string = "${id}";\n`);
  await writeFile(
    path.join(folder, "src/index.ts"),
    `import { definePlugin, defineRoute } from "@longbox/sdk";
import { name } from "./name.ts";
const route = defineRoute({ method: "GET", path: "/api/${id}", summary: name, handle: () => name });
export default definePlugin({ activate: (_, context) => context.routes([route]) });
`,
  );
  return folder;
}

describe("the clock of a test", () => {
  const day = 86_400_000;

  it("jumps, and what was to happen until then happens", async () => {
    const real = Date.now();
    await using host = await hostOf(
      (context) => {
        const seen: string[] = [];
        const timer = setTimeout(() => seen.push("hour"), 3_600_000);
        const interval = setInterval(() => seen.push("day"), day);
        const cleared = setTimeout(() => seen.push("never"), 1000);
        clearTimeout(cleared);
        void pause(1.5 * day, "paused").then((word) => seen.push(word));
        context.own({ release: () => (clearTimeout(timer), clearInterval(interval)) });
        const schema = z.object({ seen: z.array(z.string()), at: z.number() });
        return [
          defineRoute({
            method: "GET",
            path: "/api/lamps",
            summary: "What was seen",
            response: schema,
            handle: () => ({ seen, at: new Date().getTime() }),
          }),
        ];
      },
      { clock: true },
    );
    const viewer = host.as("viewer");
    expect((await viewer.get("/api/lamps")).body.seen).toEqual([]);
    await host.clock.advance(3_600_000);
    expect((await viewer.get("/api/lamps")).body.seen).toEqual(["hour"]);
    await host.clock.advance(day);
    await host.clock.advance(day);
    const { seen, at } = (await viewer.get("/api/lamps")).body as { seen: string[]; at: number };
    expect(seen).toEqual(["hour", "day", "paused", "day"]);
    expect(at - real).toBeGreaterThanOrEqual(2 * day + 3_600_000);
    expect(new Date(0).getTime()).toBe(0);
    expect(new Date()).toBeInstanceOf(Date);
  });

  it("is the real one before and after, and one host's at a time", async () => {
    const before = [Date, setTimeout, pause];
    const host = await hostOf([], { clock: true });
    await host.clock.advance(365 * day);
    await expect(hostOf([], { clock: true })).rejects.toThrow(/Another test host/);
    await host[Symbol.asyncDispose]();
    expect([Date, setTimeout, pause]).toEqual(before);
    await using other = await hostOf([]);
    expect(() => other.clock).toThrow(/clock: true/);
  });
});
