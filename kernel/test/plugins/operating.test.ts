import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { defineRoute, definePlugin } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install, type TinyPlugin } from "./support.js";

const base = { title: "T", description: "", sdk: "^1.0.0" };

describe("operating plugins", () => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.open()));
  afterAll(() => bench[Symbol.asyncDispose]());

  it("purges every trace of what was written through every kind of storage, and keeps all of it otherwise", async () => {
    const sentinel = "SENTINEL-4f1c9a";
    const writer: TinyPlugin = {
      id: "writer",
      head: `import { z } from "zod"; import { writeFile, readFile } from "node:fs/promises"; import { join } from "node:path";`,
      fields: `settings: z.object({ word: z.string().default("").meta({ title: "Word" }) }), migrations: [statements("0001", ["CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)"])]`,
      activate: `const { storage } = context; const database = storage.database();
        const text = await storage.fullText("words", ["text"]); const document = await storage.document("kept", z.object({ word: z.string().default("") }));
        const cache = await storage.cache("pages", { maxBytes: 1_000_000 });
        const index = await storage.index("shelf", { version: "1", build: async (db) => { await db.schema.createTable("item").addColumn("text", "text").execute(); } });
        const file = join(storage.folder, "own.txt");
        context.routes([
          defineRoute({ method: "POST", path: "/api/writer", access: "viewer", summary: "writes everywhere", handle: async () => {
            await database.insertInto("note").values({ id: 1, text: "${sentinel}" }).execute(); await text.put(database, [{ id: 1, text: "${sentinel}" }]);
            await document.update(() => ({ word: "${sentinel}" })); await cache.fetch("k", async () => Buffer.from("${sentinel}"));
            await index.database.insertInto("item").values({ text: "${sentinel}" }).execute(); await index.save(); await writeFile(file, "${sentinel}"); return {}; } }),
          defineRoute({ method: "GET", path: "/api/writer", summary: "reads everywhere", handle: async () => ({
            table: (await database.selectFrom("note").selectAll().execute()).length, text: (await database.selectFrom("note").selectAll().where(text.matches("id", "sentinel")).execute()).length,
            document: document.read().word, index: (await index.database.selectFrom("item").selectAll().execute()).length, file: await readFile(file, "utf8").catch(() => ""), setting: context.settings.current.word }) })]);`,
    };
    await bench.publish(writer);
    await using host = await bench.host();
    const admin = host.as("admin");
    const write = async () => {
      await install(host, "@longbox-test/writer");
      expect((await admin.post("/api/writer")).status).toBe(200);
      expect((await admin.post("/api/settings", { writer: { word: sentinel } })).status).toBe(200);
    };
    const everything = { table: 1, text: 1, document: sentinel, index: 1, file: sentinel, setting: sentinel };
    await write();
    expect((await admin.get("/api/writer")).body).toEqual(everything);
    await admin.post("/api/plugins/uninstall", { name: "writer" });
    await install(host, "@longbox-test/writer");
    expect((await admin.get("/api/writer")).body).toEqual(everything);
    await admin.post("/api/plugins/uninstall", { name: "writer", purge: true });
    await host.stop();
    expect(await filesWith(host.dataFolder, sentinel)).toEqual([]);
    await host.restart();
    await install(host, "@longbox-test/writer");
    expect((await admin.get("/api/writer")).body).toEqual({
      table: 0,
      text: 0,
      document: "",
      index: 0,
      file: "",
      setting: "",
    });
  });

  it(
    "lets 50 clients contradict one another without a server error, and ends in a state that some order explains",
    { timeout: 240_000 },
    async () => {
      for (const version of ["1.0.0", "1.1.0"])
        await bench.publish({ id: "wanted", version, activate: answering("/api/wanted", version) });
      // None is refused for having waited too long, however slow the machine is.
      await using host = await bench.host({ kernel: { plugins: { turnMs: 200_000 } } });
      await install(host, "@longbox-test/wanted");
      const admin = host.as("admin");
      const operations: Array<() => ReturnType<typeof admin.post>> = [
        () => admin.post("/api/plugins/install", { name: "@longbox-test/wanted", version: "1.0.0", accept: true }),
        () => admin.post("/api/plugins/install", { name: "@longbox-test/wanted", version: "1.1.0", accept: true }),
        () => admin.post("/api/plugins/wanted/enabled", { enabled: false }),
        () => admin.post("/api/plugins/wanted/enabled", { enabled: true }),
        () => admin.post("/api/plugins/wanted/rollback"),
        () => admin.post("/api/plugins/uninstall", { name: "wanted" }),
      ];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, client) => operations[client % operations.length]!()),
      );
      expect(answers.filter((answer) => answer.status >= 500).map((answer) => answer.body)).toEqual([]);
      expect(answers.filter((answer) => ![200, 404, 409].includes(answer.status)).map((answer) => answer.body)).toEqual(
        [],
      );
      const trail: Array<{ action: string; version?: string }> = (await admin.get("/api/plugins/audit")).body.reverse();
      expect(trail.length).toBe(1 + answers.filter((answer) => answer.status === 200).length);
      // Played back in the order of the trail, the operations must lead to what is there now.
      let explained: { version: string | undefined; enabled: boolean } | undefined;
      for (const { action, version } of trail) {
        if (action === "install" || action === "rollback") explained = { version, enabled: explained?.enabled ?? true };
        else if (action === "uninstall") explained = undefined;
        else explained = { version: explained?.version, enabled: action === "enable" };
      }
      const [row] = (await admin.get("/api/plugins")).body;
      expect(row && { version: row.version, enabled: row.enabled }).toEqual(explained);
      if (explained) {
        await admin.post("/api/plugins/wanted/enabled", { enabled: true });
        expect((await admin.get("/api/wanted")).body).toBe(explained.version);
      }
      expect(await readdir(path.join(host.dataFolder, "plugins", "staging"))).toEqual([]);
    },
  );

  it("starts a plugin that waits for its configuration as soon as it is there", async () => {
    await bench.publish({
      id: "picky",
      head: `import { z } from "zod"; import { LongboxError } from "@longbox/sdk";`,
      fields: `settings: z.object({ address: z.string().default("").meta({ title: "Address" }) })`,
      activate: `if (context.settings.current.address === "") throw new LongboxError("unavailable", "picky/needs-config", "Say where the server is."); ${answering("/api/picky", "there")}`,
    });
    await using host = await bench.host();
    expect(await install(host, "@longbox-test/picky")).toMatchObject({
      state: "needs-config",
      reason: "Say where the server is.",
    });
    const admin = host.as("admin");
    expect((await admin.post("/api/settings", { picky: { address: "here" } })).status).toBe(200);
    await host.kernel.host.quiet();
    expect((await admin.get("/api/picky")).body).toBe("there");
    expect((await admin.get("/api/plugins/picky")).body.state).toBe("active");
  });

  it("shows an installed plugin whose files are gone, and installs it again", async () => {
    await bench.publish({ id: "lost", activate: answering("/api/lost", "found") });
    await using host = await bench.host();
    await install(host, "@longbox-test/lost");
    await host.stop();
    await rm(path.join(host.dataFolder, "plugins", "store"), { recursive: true });
    await host.restart();
    const admin = host.as("admin");
    expect((await admin.get("/api/plugins")).body).toMatchObject([
      { name: "lost", state: "failed", code: "kernel/bad-manifest" },
    ]);
    expect(await install(host, "lost", "1.0.0")).toMatchObject({ state: "active" });
    expect((await admin.get("/api/lost")).body).toBe("found");
  });

  it("does not remove what others need, and says who they are", async () => {
    await bench.publish({
      id: "ground",
      manifest: { provides: { ground: "1.0.0" } },
      activate: `context.provide(contract("ground", "1.0.0"), {});`,
    });
    await bench.publish({
      id: "house",
      manifest: { requires: { ground: "^1.0.0" } },
      fields: `requires: { ground: contract("ground", "1.0.0") }`,
    });
    await using host = await bench.host();
    expect(await install(host, "@longbox-test/house")).toMatchObject({ state: "unsatisfied" });
    await install(host, "@longbox-test/ground");
    expect(host.kernel.host.row("house").state).toBe("active");
    expect(await host.as("admin").post("/api/plugins/uninstall", { name: "ground" })).toMatchObject({
      status: 409,
      body: { code: "kernel/required-by-others", details: { requiredBy: ["house"] } },
    });
  });
});

describe("access to plugins' routes", () => {
  const route = (method: "GET" | "POST", at: string, access?: string) =>
    defineRoute({
      method,
      path: `/api/guarded/${at}`,
      ...(access === undefined ? {} : { access }),
      summary: at,
      handle: () => ({}),
    });
  const routes = [
    route("GET", "open", "public"),
    route("GET", "me", "signed-in"),
    route("GET", "plain"),
    route("POST", "plain"),
    route("GET", "trusted", "trusted"),
    route("POST", "admin", "admin"),
    route("GET", "own", "guarded.use"),
    route("POST", "try/test", "public"),
    route("GET", "try/test", "viewer"),
  ];
  const guarded = {
    manifest: {
      ...base,
      id: "guarded",
      permissions: [{ key: "guarded.use", label: "Use", description: "", tier: "trusted" as const }],
    },
    plugin: definePlugin({ activate: (_, context) => context.routes(routes) }),
  };

  it("is what each route declares, for every role, and a path ending in /test needs settings.manage whatever it says", async () => {
    await using host = await startKernelTestHost({ plugins: [guarded] });
    const rank = { anonymous: 0, viewer: 1, trusted: 2, admin: 3 } as const;
    const needed: Record<string, number> = {
      "GET open": 0,
      "GET me": 1,
      "GET plain": 1,
      "POST plain": 2,
      "GET trusted": 2,
      "POST admin": 3,
      "GET own": 2,
      "POST try/test": 3,
      "GET try/test": 3,
    };
    for (const role of Object.keys(rank) as Array<keyof typeof rank>) {
      for (const { method, path: at } of routes) {
        const least = needed[`${method} ${at.slice("/api/guarded/".length)}`]!;
        const answer = await (method === "GET" ? host.as(role).get(at) : host.as(role).post(at, {}));
        const expected = rank[role] >= least ? 200 : role === "anonymous" ? 401 : 403;
        expect({ role, method, at, status: answer.status }).toEqual({ role, method, at, status: expected });
      }
    }
  });

  it("refuses the second of two plugins that claim one route or one permission, with both names", async () => {
    const rival = {
      manifest: { ...base, id: "rival" },
      plugin: definePlugin({ activate: (_, context) => context.routes([route("GET", "open")]) }),
    };
    const greedy = {
      manifest: { ...base, id: "greedy", permissions: guarded.manifest.permissions },
      plugin: definePlugin({ activate() {} }),
    };
    const core = {
      manifest: { ...base, id: "usurper", permissions: [{ ...guarded.manifest.permissions[0]!, key: "users.manage" }] },
      plugin: definePlugin({ activate() {} }),
    };
    const kernelRoute = {
      manifest: { ...base, id: "mimic" },
      plugin: definePlugin({
        activate: (_, context) =>
          context.routes([
            defineRoute({ method: "GET", path: "/api/plugins", access: "public", summary: "x", handle: () => [] }),
          ]),
      }),
    };
    await using host = await startKernelTestHost({ plugins: [guarded] });
    for (const [plugin, code, names] of [
      [rival, "kernel/route-taken", ["rival", "guarded"]],
      [greedy, "kernel/permission-taken", ["greedy", "guarded"]],
      [core, "kernel/permission-taken", ["usurper", "kernel"]],
      [kernelRoute, "kernel/route-taken", ["mimic", "kernel"]],
    ] as const) {
      host.kernel.host.linkDefinition(plugin.manifest, plugin.plugin);
      await host.enable(plugin.manifest.id);
      const row = host.kernel.host.row(plugin.manifest.id);
      expect(row).toMatchObject({ state: "failed", code });
      for (const name of names) expect(row.reason).toContain(`"${name}"`);
    }
    expect(host.kernel.host.row("guarded").state).toBe("active");
  });
});

async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const at = path.join(entry.parentPath, entry.name);
    if (at.includes(text) || (await readFile(at)).includes(text)) found.push(path.relative(folder, at));
  }
  return found;
}
