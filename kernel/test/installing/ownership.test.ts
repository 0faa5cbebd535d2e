import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install, type TinyPlugin } from "../plugins/support.js";

/** Keeps notes, a setting and a permission, all under its id. */
const notes = (packageName: string, version = "1.0.0"): TinyPlugin => ({
  id: "notes",
  version,
  package: packageName,
  manifest: { permissions: [{ key: "notes.write", label: "Write", description: "Write notes", tier: "admin" }] },
  head: `import { z } from "zod";`,
  fields: `settings: z.object({ motto: z.string().default("none") }), migrations: [statements("0001", ["CREATE TABLE note (text TEXT)"])]`,
  activate: `const database = context.storage.database();
    context.routes([
      defineRoute({ method: "POST", path: "/api/notes", access: "notes.write", summary: "adds", handle: async () => { await database.insertInto("note").values({ text: "x" }).execute(); return {}; } }),
      defineRoute({ method: "GET", path: "/api/notes", summary: "says what it finds", handle: async () => ({ by: context.plugin.package, motto: context.settings.current.motto, notes: (await database.selectFrom("note").selectAll().execute()).length }) })]);`,
});

describe("an id", () => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.open()));
  afterAll(() => bench[Symbol.asyncDispose]());

  it("means the package of this house, or the one that had it, never a package that only calls itself so", async () => {
    await bench.publish({ id: "counts", package: "@longbox/counts", activate: answering("/api/counts", "ours") });
    await bench.publish({ id: "counts", package: "counts", activate: answering("/api/counts", "theirs") });
    await bench.publish({ id: "counts", package: "@aaa/counts", activate: answering("/api/counts", "theirs") });
    await using host = await bench.host();
    const admin = host.as("admin");
    for (const version of [undefined, "1.0.0"]) {
      expect(await install(host, "counts", version)).toMatchObject({ package: "@longbox/counts" });
      await admin.post("/api/plugins/uninstall", { name: "counts", purge: version !== undefined });
    }
    expect(await install(host, "counts", "1.0.0")).toMatchObject({ package: "@longbox/counts" });
    expect((await host.as("viewer").get("/api/counts")).body).toBe("ours");
  });

  it("of a package of this house is answered by no other, also where the version is another's alone", async () => {
    await bench.publish({ id: "tides", package: "@longbox/tides" });
    await bench.publish({ id: "tides", package: "tides", version: "2.0.0" });
    await using host = await bench.host();
    expect(await host.as("admin").post("/api/plugins/install", { name: "tides", version: "2.0.0" })).toMatchObject({
      status: 404,
      body: { code: "kernel/version-not-found" },
    });
    expect((await host.as("admin").get("/api/plugins")).body).toEqual([]);
  });

  it("stays with its package after that was removed, with data, settings and permissions, over a restart", async () => {
    await bench.publish(notes("@longbox-test/notes"));
    await bench.publish(notes("@elsewhere/notes"));
    await bench.publish({
      id: "thief",
      package: "@longbox/thief",
      manifest: { permissions: [{ key: "notes.write", label: "Write", description: "", tier: "admin" }] },
    });
    await using host = await bench.host();
    const admin = host.as("admin");
    await install(host, "@longbox-test/notes");
    await admin.post("/api/notes");
    await admin.post("/api/settings", { notes: { motto: "ours" } });
    await admin.post("/api/plugins/uninstall", { name: "notes" });
    await host.restart();
    expect(await admin.post("/api/plugins/install", { name: "@elsewhere/notes" })).toMatchObject({
      status: 409,
      body: { code: "kernel/id-taken", details: { id: "notes", package: "@longbox-test/notes" } },
    });
    expect(await admin.post("/api/plugins/install", { name: "@longbox/thief" })).toMatchObject({
      status: 409,
      body: { code: "kernel/permission-taken", details: { owner: "notes" } },
    });
    expect(await install(host, "notes")).toMatchObject({ package: "@longbox-test/notes" });
    expect((await admin.get("/api/notes")).body).toEqual({ by: "@longbox-test/notes", motto: "ours", notes: 1 });
  });

  it("is free once the data is deleted; then no role has its permissions any more", async () => {
    await bench.publish(notes("@longbox-test/notes", "1.0.1"));
    await bench.publish(notes("@elsewhere/notes", "1.0.1"));
    await using host = await bench.host();
    const admin = host.as("admin");
    await install(host, "@longbox-test/notes");
    await admin.post("/api/notes");
    await admin.post("/api/settings", { notes: { motto: "ours" } });
    await admin.post("/api/roles", { name: "writer", permissions: ["library.view", "notes.write"] });
    const writer = host.as("writer");
    expect((await writer.post("/api/notes")).status).toBe(200);
    await admin.post("/api/plugins/uninstall", { name: "notes" });
    expect((await admin.get("/api/roles")).body.at(-1)).toMatchObject({ permissions: ["library.view", "notes.write"] });
    await admin.post("/api/plugins/uninstall", { name: "@longbox-test/notes", purge: true });
    expect((await admin.get("/api/roles")).body.at(-1)).toMatchObject({ permissions: ["library.view"] });
    await install(host, "@elsewhere/notes");
    expect((await admin.get("/api/notes")).body).toEqual({ by: "@elsewhere/notes", motto: "none", notes: 0 });
    expect((await writer.post("/api/notes")).status).toBe(403);
    await host.restart();
    expect((await writer.post("/api/notes")).status).toBe(403);
  });
});
