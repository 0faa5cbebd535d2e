import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install, type TinyPlugin } from "../plugins/support.js";

const version = (id: string, number: string, more: Partial<TinyPlugin> = {}): TinyPlugin => ({
  id,
  version: number,
  activate: answering(`/api/${id}`, number),
  ...more,
});

describe("the versions of a plugin", () => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.open()));
  afterAll(() => bench[Symbol.asyncDispose]());

  it("are chosen as the newest that fits, in the catalog as well", async () => {
    for (const number of ["1.0.0", "1.1.0"]) await bench.publish(version("fitting", number));
    await bench.publish(version("fitting", "2.0.0", { manifest: { sdk: "^99.0.0" } }));
    await bench.publish(version("never", "1.0.0", { manifest: { sdk: "^99.0.0" } }));
    await using host = await bench.host();
    const { body: catalog } = await host.as("admin").get("/api/plugins/catalog");
    const offered = (name: string) => (catalog as { name: string }[]).find((row) => row.name === name);
    expect(offered("fitting")).toMatchObject({
      version: "1.1.0",
      compatible: true,
      publishedAt: expect.stringMatching(/^\d{4}-/) as string,
    });
    expect(offered("never")).toMatchObject({ compatible: false });
    expect(await install(host, "@longbox-test/fitting")).toMatchObject({ version: "1.1.0" });
    expect(
      await host.as("admin").post("/api/plugins/install", { name: "fitting", version: "2.0.0", accept: true }),
    ).toMatchObject({ status: 409, body: { code: "kernel/sdk-too-different" } });
    expect(await host.as("admin").post("/api/plugins/install", { name: "@longbox-test/never" })).toMatchObject({
      status: 409,
      body: { code: "kernel/sdk-too-different" },
    });
  });

  it("are gone back to by name, as far as they are kept and can read the data", async () => {
    const table = `statements("0001", ["CREATE TABLE note (text TEXT)"])`;
    await bench.publish(version("past", "1.0.0"));
    await bench.publish(version("past", "2.0.0", { fields: `migrations: [${table}]` }));
    await bench.publish(version("past", "3.0.0", { fields: `migrations: [${table}]` }));
    await bench.publish(version("past", "4.0.0", { fields: `migrations: [${table}]` }));
    await using host = await bench.host();
    const admin = host.as("admin");
    for (const number of ["1.0.0", "2.0.0", "3.0.0", "4.0.0"]) await install(host, "@longbox-test/past", number);
    expect((await admin.get("/api/plugins/past")).body.keptVersions).toEqual(["3.0.0", "2.0.0", "1.0.0"]);
    const rollback = (to?: string) => admin.post("/api/plugins/past/rollback", to === undefined ? undefined : { to });
    expect(await rollback("2.0.0")).toMatchObject({
      status: 200,
      body: { version: "2.0.0", previousVersion: "4.0.0" },
    });
    expect((await host.as("viewer").get("/api/past")).body).toBe("2.0.0");
    expect(await rollback("1.0.0")).toMatchObject({ status: 409, body: { code: "kernel/data-too-new" } });
    expect(await rollback("9.9.9")).toMatchObject({
      status: 409,
      body: { code: "kernel/nothing-to-roll-back", details: { versions: ["4.0.0", "3.0.0", "1.0.0"] } },
    });
    await host.restart();
    expect(await rollback("3.0.0")).toMatchObject({ status: 200, body: { version: "3.0.0" } });
    expect(await rollback()).toMatchObject({ status: 200, body: { version: "2.0.0" } });
  });

  it("are changed only as the administrator saw them, where If-Match says so", async () => {
    await bench.publish(version("matched", "1.0.0"));
    await bench.publish(version("matched", "1.1.0"));
    await using host = await bench.host();
    await install(host, "@longbox-test/matched", "1.0.0");
    const admin = host.as("admin");
    const { headers } = await admin.get("/api/plugins/matched");
    const seen = { "if-match": headers.get("etag")! };
    const changes: [string, object][] = [
      ["matched/enabled", { enabled: false }],
      ["matched/rollback", {}],
      ["install", { name: "matched", version: "1.0.0" }],
      ["uninstall", { name: "matched" }],
    ];
    expect(await admin.post("/api/plugins/install", { name: "matched" }, seen)).toMatchObject({
      status: 200,
      body: { version: "1.1.0" },
    });
    for (const [path, body] of changes)
      expect(await admin.post(`/api/plugins/${path}`, body, seen), path).toMatchObject({
        status: 412,
        body: { code: "kernel/plugin-changed" },
      });
    const now = { "if-match": (await admin.get("/api/plugins/matched")).headers.get("etag")! };
    expect(await admin.post("/api/plugins/matched/enabled", { enabled: false }, now)).toMatchObject({
      status: 200,
      body: { state: "disabled" },
    });
  });
});

it("a plugin that was removed is installed again while the registry is away, but not once its data was deleted", async () => {
  await using bench = await Bench.open();
  await bench.publish(version("back", "1.0.0"));
  await using host = await bench.host();
  await install(host, "@longbox-test/back");
  const admin = host.as("admin");
  const remove = (purge: boolean) => admin.post("/api/plugins/uninstall", { name: "back", purge });
  await remove(false);
  await host.restart();
  await bench.registry.stop();
  expect(await install(host, "back")).toMatchObject({ version: "1.0.0", state: "active" });
  expect((await host.as("viewer").get("/api/back")).body).toBe("1.0.0");
  await remove(true);
  expect(await readdir(path.join(host.dataFolder, "plugins", "store"))).toEqual([]);
});
