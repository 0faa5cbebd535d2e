import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install, until } from "../plugins/support.js";

/** Never gets ready in the given version; `begun` says that it has begun. */
const hanging = (version: string) => ({
  id: "sleeper",
  version,
  manifest: { workers: {} },
  activate: `globalThis.__sleeperBegun = true; await new Promise(() => {});`,
});
const hasBegun = () => (globalThis as { __sleeperBegun?: boolean }).__sleeperBegun === true;

describe("an upgrade that never gets ready", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish({ id: "sleeper", version: "1.0.0", activate: answering("/api/sleeper", "1.0.0") });
    await bench.publish(hanging("2.0.0"));
    await bench.publish({ id: "sleeper", version: "2.0.1", activate: answering("/api/sleeper", "2.0.1") });
    await bench.publish({ id: "other", activate: answering("/api/other", "other") });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("holds up no other plugin, can be seen and cancelled, and leaves the version before", async () => {
    await using host = await bench.host();
    const admin = host.as("admin");
    await install(host, "@longbox-test/sleeper", "1.0.0");
    await install(host, "@longbox-test/other");
    const upgrade = admin.post("/api/plugins/install", { name: "sleeper", version: "2.0.0", accept: true });
    await until(hasBegun);
    for (const enabled of [false, true]) {
      const answer = await admin.post("/api/plugins/other/enabled", { enabled });
      expect(answer.body).toMatchObject({ state: enabled ? "active" : "disabled" });
    }
    // A second request for the same plugin waits for the first.
    const next = admin.post("/api/plugins/install", { name: "sleeper", version: "2.0.1", accept: true });
    await until(async () => (await admin.get("/api/plugins/pending")).body[1]?.state === "running");
    const { body: pending } = await admin.get("/api/plugins/pending");
    expect(pending).toMatchObject([
      { action: "install", plugin: "sleeper", version: "2.0.0", username: "admin", state: "running" },
      { action: "install", plugin: "sleeper", version: "2.0.1", state: "running" },
    ]);
    expect((await admin.get("/api/plugins/sleeper")).body).toMatchObject({ state: "upgrading", version: "1.0.0" });
    expect((await admin.delete(`/api/plugins/pending/${pending[0].id}`)).body).toEqual({ cancelled: true });
    expect(await upgrade).toMatchObject({ status: 409, body: { code: "kernel/upgrade-failed" } });
    expect(await next).toMatchObject({ status: 200, body: { version: "2.0.1" } });
    expect((await host.as("viewer").get("/api/sleeper")).body).toBe("2.0.1");
    expect((await admin.get("/api/plugins/pending")).body).toEqual([]);
    expect(await admin.delete(`/api/plugins/pending/${pending[0].id}`)).toMatchObject({
      status: 404,
      body: { code: "kernel/operation-not-found" },
    });
  });

  it("ends at once when its plugin is switched off or removed meanwhile", async () => {
    await using host = await bench.host();
    const admin = host.as("admin");
    await install(host, "@longbox-test/sleeper", "1.0.0");
    Object.assign(globalThis, { __sleeperBegun: false });
    const upgrade = admin.post("/api/plugins/install", { name: "sleeper", version: "2.0.0", accept: true });
    await until(hasBegun);
    expect((await admin.post("/api/plugins/sleeper/enabled", { enabled: false })).body).toMatchObject({
      state: "disabled",
      version: "1.0.0",
    });
    expect(await upgrade).toMatchObject({ status: 409, body: { code: "kernel/upgrade-failed" } });
    expect((await admin.post("/api/plugins/sleeper/enabled", { enabled: true })).body).toMatchObject({
      state: "active",
    });
    expect((await host.as("viewer").get("/api/sleeper")).body).toBe("1.0.0");
  });
});

describe("an installation", () => {
  it("whose migration fails names the migration and the statement, and changes nothing", async () => {
    await using bench = await Bench.open();
    const table = `statements("0001", ["CREATE TABLE note (text TEXT)", "INSERT INTO note VALUES ('kept')"])`;
    const version = (number: string, more: string): Parameters<Bench["publish"]>[0] => ({
      id: "diary",
      version: number,
      fields: `migrations: [${table}${more}]`,
      activate: `const database = context.storage.database(); context.routes([defineRoute({ method: "GET", path: "/api/diary", summary: "notes", handle: async () => database.selectFrom("note").selectAll().execute() })]);`,
    });
    await bench.publish(version("1.0.0", ""));
    await bench.publish(
      version("2.0.0", `, statements("0002", ["ALTER TABLE note ADD day TEXT", "UPDATE nowhere SET x = 1"])`),
    );
    await bench.publish(version("2.0.1", `, statements("0002", ["ALTER TABLE note ADD day TEXT"])`));
    await using host = await bench.host();
    await install(host, "@longbox-test/diary", "1.0.0");
    const failed = await host.as("admin").post("/api/plugins/install", { name: "diary", version: "2.0.0" });
    expect(failed).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/migration "0002" of "diary".*UPDATE nowhere SET x = 1/) as string },
    });
    expect((await host.as("viewer").get("/api/diary")).body).toEqual([{ text: "kept" }]);
    await install(host, "diary", "2.0.1");
    expect((await host.as("viewer").get("/api/diary")).body).toEqual([{ text: "kept", day: null }]);
  });
});

describe("a plugin that never gets ready", () => {
  it("holds up no operation on others: they are switched, installed and upgraded, and what needs it waits", async () => {
    await using bench = await Bench.open();
    const other = (version: string) => ({ id: "other", version, activate: answering("/api/other", version) });
    await bench.publish(other("1.0.0"));
    await bench.publish(other("1.1.0"));
    await bench.publish({
      id: "stone",
      manifest: { provides: { stone: "1.0.0" } },
      activate: `await new Promise(() => {});`,
    });
    await bench.publish({ id: "moss", manifest: { requires: { stone: "^1.0.0" } } });
    await using host = await bench.host();
    const admin = host.as("admin");
    const rowOf = async (id: string) => (await admin.get(`/api/plugins/${id}`)).body as Record<string, unknown>;
    const stone = admin.post("/api/plugins/install", { name: "@longbox-test/stone", accept: true });
    await until(async () => (await admin.get("/api/plugins")).body.length === 1);
    expect(await rowOf("stone")).toMatchObject({ state: "unsatisfied", reason: "It is being started." });
    expect(await install(host, "@longbox-test/other", "1.0.0")).toMatchObject({ state: "active" });
    expect(await install(host, "@longbox-test/other", "1.1.0")).toMatchObject({ version: "1.1.0", state: "active" });
    expect(await install(host, "@longbox-test/moss")).toMatchObject({ state: "unsatisfied" });
    await admin.post("/api/plugins/other/enabled", { enabled: false });
    expect((await admin.post("/api/plugins/stone/enabled", { enabled: false })).body).toMatchObject({
      state: "disabled",
    });
    expect(await stone).toMatchObject({ status: 200 });
    expect(await rowOf("other")).toMatchObject({ state: "disabled" });
    expect(await rowOf("moss")).toMatchObject({
      state: "unsatisfied",
      reason: expect.stringContaining("stone") as string,
    });
  });
});
