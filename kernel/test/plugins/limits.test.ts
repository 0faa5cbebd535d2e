import { definePlugin, defineRoute, migration } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";
import { until } from "./support.js";

const base = { title: "T", description: "", sdk: "^1.0.0" };
const route = (path: `/${string}`, value: unknown) =>
  defineRoute({ method: "GET", path, summary: "Answers", handle: () => value });

/** A plugin whose second migration never ends while `hangs`, after it has written something. */
function migratingPlugin(state: { hangs: boolean; late: unknown[] }) {
  let runs = 0;
  return definePlugin({
    migrations: [
      migration("0001-note", ({ schema, types }) => schema.createTable("note").addColumn("text", types.text).execute()),
      migration("0002-rows", async ({ database }) => {
        await database.insertInto("note").values({ text: "half" }).execute();
        // The first run only tells what the step is made of.
        if ((runs += 1) === 1 || !state.hangs) return;
        await new Promise<void>((resolve) => state.late.push(resolve));
        await database
          .insertInto("note")
          .values({ text: "late" })
          .execute()
          .catch((fault: unknown) => void state.late.push(fault));
      }),
    ],
    activate(_, context) {
      const handle = () => context.storage.database<any>().selectFrom("note").selectAll().execute();
      context.routes([defineRoute({ method: "GET", path: "/api/notes", summary: "Notes", handle })]);
    },
  });
}

describe.each(["memory", "sqlite"] as const)("a migration that never ends (%s)", (storage) => {
  it("is ended and undone, blocks no other plugin, and can be tried again", async () => {
    const state = { hangs: true, late: [] as any[] };
    await using host = await startKernelTestHost({
      storage,
      kernel: { plugins: { limits: { migrateMs: 300 } } },
      plugins: [
        {
          manifest: { ...base, id: "other" },
          plugin: definePlugin({ activate: (_, context) => context.routes([route("/api/other", 1)]) }),
        },
      ],
    });
    host.kernel.host.linkDefinition({ ...base, id: "stuck" }, migratingPlugin(state));
    const admin = host.as("admin");
    const enabling = admin.post("/api/plugins/stuck/enabled", { enabled: true });
    await until(() => state.late.length === 1);
    expect((await admin.get("/api/other")).body).toBe(1);
    expect(await admin.get("/api/notes")).toMatchObject({ status: 503, body: { code: "kernel/starting" } });
    expect(await enabling).toMatchObject({
      status: 200,
      body: { state: "failed", reason: expect.stringContaining("0.3 seconds") },
    });
    expect((await admin.get("/api/notes")).status).toBe(404);
    state.late[0]();
    await until(() => state.late.length === 2);
    expect(state.late[1]).toMatchObject({ code: "kernel/storage-closed" });
    state.hangs = false;
    await admin.post("/api/plugins/stuck/enabled", { enabled: true });
    expect((await admin.get("/api/notes")).body).toEqual([{ text: "half" }]);
  });

  it("is given up at once when the server stops", async () => {
    const state = { hangs: true, late: [] as unknown[] };
    await using host = await startKernelTestHost({ storage });
    host.kernel.host.linkDefinition({ ...base, id: "stuck" }, migratingPlugin(state));
    const enabling = host.enable("stuck").catch((fault: unknown) => fault);
    await until(() => state.late.length === 1);
    // A migration may take ten minutes: were it waited for, the test would end by its time limit.
    await host.stop();
    await enabling;
  });
});

describe("an operation on plugins", () => {
  it("waits for those before it of the same plugin, but not for ever, and for no other plugin", async () => {
    const gate = Promise.withResolvers<void>();
    await using host = await startKernelTestHost({
      kernel: { plugins: { turnMs: 200 } },
      plugins: [{ manifest: { ...base, id: "other" }, plugin: definePlugin({ activate() {} }) }],
    });
    host.kernel.host.linkDefinition({ ...base, id: "slow" }, definePlugin({ activate: () => gate.promise }));
    const admin = host.as("admin");
    const first = admin.post("/api/plugins/slow/enabled", { enabled: true });
    await until(() => host.kernel.host.row("slow").reason === "It is being started.");
    const refused = await admin.post("/api/plugins/slow/rollback");
    expect(refused).toMatchObject({ status: 503, body: { code: "kernel/plugins-busy" } });
    expect(refused.headers.get("retry-after")).toBe("10");
    expect((await admin.post("/api/plugins/other/enabled", { enabled: false })).body).toMatchObject({
      state: "disabled",
    });
    gate.resolve();
    expect((await first).body).toMatchObject({ state: "active" });
    expect((await admin.get("/api/plugins/other")).body).toMatchObject({ state: "disabled", enabled: false });
  });
});
