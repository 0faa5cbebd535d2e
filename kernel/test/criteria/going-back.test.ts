// Criterion 22: going back through versions and forward again, with their data, and a new version that does not stay
// up.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { Bench, install, until, type TinyPlugin } from "../plugins/support.js";

const numbers = [1, 2, 3, 4] as const;

/** Each version has one more migration than the one before, and writes a row of its own when it is told to. */
const diary = (n: number): TinyPlugin => {
  const migrations = numbers
    .filter((step) => step <= n)
    .map((step) =>
      step === 1
        ? `statements("0001", ["CREATE TABLE note (text TEXT)"])`
        : `statements("000${step}", ["ALTER TABLE note ADD COLUMN more${step} TEXT DEFAULT 'of ${step}'"])`,
    );
  return {
    id: "diary",
    version: `${n}.0.0`,
    fields: `migrations: [${migrations.join(", ")}]`,
    activate: `const database = context.storage.database();
context.routes([
  defineRoute({ method: "POST", path: "/api/diary", access: "viewer", summary: "writes", handle: async () => { await database.insertInto("note").values({ text: "v${n}" }).execute(); return {}; } }),
  defineRoute({ method: "GET", path: "/api/diary", summary: "reads", handle: () => database.selectFrom("note").selectAll().execute() })]);`,
  };
};

const rows = async (host: KernelTestHost) =>
  ((await host.as("viewer").get("/api/diary")).body as { text: string }[]).map(({ text }) => text);

describe("criterion 22: versions", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    for (const n of numbers) await bench.publish(diary(n));
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("1 to 4 are gone back to with the present data or with their own, and forward again", async () => {
    await using host = await bench.host();
    const admin = host.as("admin");
    const rollback = (wish: object) => admin.post("/api/plugins/diary/rollback", wish);
    for (const n of numbers) {
      await install(host, "@longbox-test/diary", `${n}.0.0`);
      expect((await host.as("viewer").post("/api/diary")).status).toBe(200);
    }
    expect(await rows(host)).toEqual(["v1", "v2", "v3", "v4"]);
    const kept = ["3.0.0", "2.0.0", "1.0.0"];
    const snapshots = kept.map((version) => ({ version, at: expect.stringMatching(/^\d{4}-.*Z$/) as string }));
    const before = (await admin.get("/api/plugins/diary")).body;
    expect(before).toMatchObject({ previousVersion: "3.0.0", keptVersions: kept, keptData: snapshots });
    for (const wish of [{ to: "1.0.0" }, { to: "1.0.0", data: "keep" }, { data: "keep" }])
      expect(await rollback(wish)).toMatchObject({
        status: 409,
        body: {
          code: "kernel/data-too-new",
          error: expect.stringContaining("0004") as string,
          details: { snapshots },
        },
      });
    expect(await rows(host)).toEqual(["v1", "v2", "v3", "v4"]);

    const first = await rollback({ to: "1.0.0", data: "snapshot" });
    expect(first).toMatchObject({ status: 200, body: { version: "1.0.0", setAside: { folder: expect.any(String) } } });
    expect(await rows(host)).toEqual(["v1"]);
    const columns = (await host.as("viewer").get("/api/diary")).body[0];
    expect(columns).toEqual({ text: "v1" });
    expect((await rollback({ to: "1.0.0", data: "snapshot" })).body.code).toBe("kernel/nothing-to-roll-back");
    await host.restart();
    expect(await rows(host)).toEqual(["v1"]);

    // Forward again: to the data that 4 left, with those of 1 as 3 makes of them, and off.
    expect(await rollback({ to: "4.0.0", data: "snapshot" })).toMatchObject({ status: 200 });
    expect(await rows(host)).toEqual(["v1", "v2", "v3", "v4"]);
    expect(await rollback({ to: "1.0.0", data: "snapshot" })).toMatchObject({ status: 200 });
    expect(await rollback({ to: "3.0.0", data: "keep" })).toMatchObject({ status: 200, body: { version: "3.0.0" } });
    expect((await host.as("viewer").get("/api/diary")).body).toEqual([{ text: "v1", more2: "of 2", more3: "of 3" }]);
    await host.disable("diary");
    expect(await rollback({ to: "2.0.0", data: "keep" })).toMatchObject({ body: { code: "kernel/data-too-new" } });
    expect(await rollback({ to: "2.0.0", data: "snapshot" })).toMatchObject({
      status: 200,
      body: { state: "disabled" },
    });
    await host.restart();
    await host.enable("diary");
    expect(await rows(host)).toEqual(["v1", "v2"]);
    await install(host, "@longbox-test/diary", "4.0.0");
    expect(await rows(host)).toEqual(["v1", "v2"]);
  });

  it("that fail at their start are never in use, and those that fail by themselves are gone back from within ten seconds", async () => {
    const version = (number: string, activate: string): TinyPlugin => ({ id: "shaky", version: number, activate });
    const route = `context.routes([defineRoute({ method: "GET", path: "/api/shaky", summary: "v", handle: () => context.plugin.version })]);`;
    await bench.publish(version("1.0.0", route));
    await bench.publish(version("2.0.0", `throw new Error("not well"); ${route}`));
    await bench.publish(
      version(
        "3.0.0",
        `${route} const shaking = context.topic("shaking"); shaking.subscribe(() => { throw new Error("shaken"); }); setTimeout(() => setInterval(() => shaking.publish(1), 20), 200);`,
      ),
    );
    await using host = await bench.host();
    await install(host, "@longbox-test/shaky", "1.0.0");
    const ask = async () => (await host.as("viewer").get("/api/shaky")).body as string;
    const sick = await host.as("admin").post("/api/plugins/install", { name: "shaky", version: "2.0.0" });
    expect(sick).toMatchObject({ status: 409, body: { code: "kernel/upgrade-failed" } });
    expect(await ask()).toBe("1.0.0");
    await install(host, "@longbox-test/shaky", "3.0.0");
    await until(async () => (await ask()) === "1.0.0", 10_000);
    await host.kernel.host.quiet();
    const [last] = (await host.as("admin").get("/api/plugins/audit")).body;
    expect(last).toMatchObject({ action: "rollback", plugin: "shaky", username: "system", version: "1.0.0" });
  });
});
