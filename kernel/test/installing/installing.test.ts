import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install, packageOf, temporaryFolder } from "../plugins/support.js";

describe("installing from a registry", () => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.open()));
  afterAll(() => bench[Symbol.asyncDispose]());

  it("makes a plugin's routes answer at once, and keeps it over a restart", async () => {
    await bench.publish({ id: "greeter", activate: answering("/api/greeter", { hello: 1 }) });
    await using host = await bench.host();
    const row = await install(host, "@longbox-test/greeter");
    expect(row).toMatchObject({
      name: "greeter",
      package: "@longbox-test/greeter",
      version: "1.0.0",
      state: "active",
      enabled: true,
      restartRequired: false,
      routes: ["GET /api/greeter"],
    });
    expect((await host.as("viewer").get("/api/greeter")).body).toEqual({ hello: 1 });
    await host.restart();
    expect((await host.as("viewer").get("/api/greeter")).body).toEqual({ hello: 1 });
    expect((await host.as("admin").get("/api/plugins/greeter")).body).toMatchObject({ state: "active" });
  });

  it("switches a plugin off and on at once, and remembers it", async () => {
    await bench.publish({ id: "switched", activate: answering("/api/switched", {}) });
    await using host = await bench.host();
    await install(host, "@longbox-test/switched");
    const off = await host.as("admin").post("/api/plugins/switched/enabled", { enabled: false });
    expect(off.body).toMatchObject({ enabled: false, state: "disabled", routes: [] });
    expect((await host.as("viewer").get("/api/switched")).status).toBe(404);
    await host.restart();
    expect((await host.as("viewer").get("/api/switched")).status).toBe(404);
    await host.as("admin").post("/api/plugins/switched/enabled", { enabled: true });
    expect((await host.as("viewer").get("/api/switched")).status).toBe(200);
  });

  it("lists what the registry offers, and says what could be brought up to date", async () => {
    await bench.publish({ id: "listed" });
    await bench.publish({ id: "listed", version: "1.1.0" });
    await using host = await bench.host();
    await install(host, "@longbox-test/listed", "1.0.0");
    const { body } = await host.as("admin").get("/api/plugins/catalog");
    expect(body.find((row: { name: string }) => row.name === "listed")).toEqual({
      name: "listed",
      package: "@longbox-test/listed",
      title: "listed",
      description: "",
      version: "1.1.0",
      keywords: ["longbox-plugin"],
      installed: "1.0.0",
      updateAvailable: true,
      compatible: true,
      publishedAt: expect.any(String) as string,
    });
    expect((await host.as("admin").get("/api/plugins/listed")).body.updateAvailable).toBe("1.1.0");
  });

  it("removes a plugin, keeps its data, and deletes the data when asked to", async () => {
    const keeper = {
      id: "keeper",
      fields: `migrations: [statements("0001", ["CREATE TABLE note (text TEXT)"])]`,
      activate: `const database = context.storage.database();
        context.routes([
          defineRoute({ method: "POST", path: "/api/keeper", access: "viewer", summary: "adds", handle: async () => { await database.insertInto("note").values({ text: "x" }).execute(); return {}; } }),
          defineRoute({ method: "GET", path: "/api/keeper", summary: "counts", handle: async () => ({ notes: (await database.selectFrom("note").selectAll().execute()).length }) })]);`,
    };
    await bench.publish(keeper);
    await using host = await bench.host();
    await install(host, "@longbox-test/keeper");
    await host.as("viewer").post("/api/keeper");
    const admin = host.as("admin");
    expect((await admin.post("/api/plugins/uninstall", { name: "keeper" })).body).toEqual({
      removed: true,
      restartRequired: false,
    });
    expect((await host.as("viewer").get("/api/keeper")).status).toBe(404);
    await install(host, packageOf(keeper));
    expect((await host.as("viewer").get("/api/keeper")).body).toEqual({ notes: 1 });
    await admin.post("/api/plugins/uninstall", { name: "keeper", purge: true });
    await install(host, packageOf(keeper));
    expect((await host.as("viewer").get("/api/keeper")).body).toEqual({ notes: 0 });
  });

  it("brings default plugins along, upgrades them, and leaves out what an admin removed", async () => {
    await bench.publish({ id: "default-one", activate: answering("/api/default-one", 1) });
    await bench.publish({ id: "default-one", version: "1.1.0", activate: answering("/api/default-one", 2) });
    await using data = await temporaryFolder();
    const asked = (version: string) =>
      bench.host({
        dataFolder: data.path,
        kernel: { defaultPlugins: [{ package: "@longbox-test/default-one", version }] },
      });
    {
      await using host = await asked("1.0.0");
      expect((await host.as("viewer").get("/api/default-one")).body).toBe(1);
    }
    {
      await using host = await asked("1.1.0");
      expect((await host.as("viewer").get("/api/default-one")).body).toBe(2);
      await host.as("admin").post("/api/plugins/uninstall", { name: "default-one", purge: true });
    }
    await using host = await asked("1.1.0");
    expect((await host.as("admin").get("/api/plugins")).body).toEqual([]);
    expect(await readdir(path.join(data.path, "plugins", "store"))).toEqual([]);
  });

  it("serves health, accounts and its plugin list when there is no plugin at all", async () => {
    await using host = await bench.host();
    expect((await host.as("anonymous").get("/healthz")).status).toBe(200);
    expect((await host.as("viewer").get("/api/auth/me")).body.user).toMatchObject({ role: "viewer" });
    expect((await host.as("admin").get("/api/plugins")).body).toEqual([]);
  });
});
