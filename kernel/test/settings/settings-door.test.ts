import { definePlugin, secretSetting } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";
import { z } from "zod";

/** A plugin with settings, which keeps what it hears of them. */
function shelves() {
  const heard: unknown[] = [];
  const plugin = definePlugin({
    settings: z.object({
      rows: z.number().int().min(1).max(50).default(5).meta({ title: "Rows" }),
      token: secretSetting({ title: "Token" }),
    }),
    activate: (_, context) =>
      void context.own(context.settings.onChange((next, previous) => heard.push([previous.rows, next.rows]))),
  });
  return {
    heard,
    entry: { manifest: { id: "shelves", title: "Shelves", description: "Shelves", sdk: "^1.0.0" }, plugin },
  };
}

it("are read and changed through the door by those who may, and the plugin hears of it", async () => {
  const { heard, entry } = shelves();
  await using host = await startTestHost({ plugins: [entry] });
  const admin = host.as("admin");
  expect((await admin.get("/api/settings")).body).toMatchObject({
    shelves: { rows: 5, token: "" },
    backup: { keep: 7 },
  });
  const changed = await admin.post("/api/settings", { shelves: { rows: 9, token: "abc123" } });
  expect(changed).toMatchObject({ status: 200, body: { shelves: { rows: 9, token: "********" } } });
  expect(heard).toEqual([[5, 9]]);
  for (const role of ["anonymous", "viewer", "trusted"]) {
    const refusal = role === "anonymous" ? 401 : 403;
    expect([
      (await host.as(role).get("/api/settings")).status,
      (await host.as(role).post("/api/settings", {})).status,
      (await host.as(role).get("/api/settings/schema")).status,
    ]).toEqual([refusal, refusal, refusal]);
  }
});

it("are refused whole with a field for each flaw", async () => {
  await using host = await startTestHost({ plugins: [shelves().entry] });
  const admin = host.as("admin");
  const refused = await admin.post("/api/settings", { shelves: { rows: 99, colour: "red" }, backup: { keep: 3 } });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: "kernel/settings-do-not-fit",
      details: { "shelves.rows": expect.any(String), "shelves.colour": expect.any(String) },
    },
  });
  expect((await admin.get("/api/settings")).body).toMatchObject({ shelves: { rows: 5 }, backup: { keep: 7 } });
  for (const body of [[], { shelves: 5 }, { shelves: null }])
    expect((await admin.post("/api/settings", body)).status).toBe(400);
});

it("go with the plugin while it is switched off, and are there again afterwards", async () => {
  await using host = await startTestHost({ plugins: [shelves().entry] });
  const admin = host.as("admin");
  await admin.post("/api/settings", { shelves: { rows: 12 } });
  await host.disable("shelves");
  expect((await admin.get("/api/settings")).body).not.toHaveProperty("shelves");
  expect((await admin.post("/api/settings", { shelves: { rows: 3 } })).status).toBe(400);
  await host.enable("shelves");
  expect((await admin.get("/api/settings")).body).toMatchObject({ shelves: { rows: 12 } });
  expect((await admin.get("/api/settings/schema")).body).toMatchObject({
    properties: { shelves: { title: "Shelves", properties: { rows: { title: "Rows", maximum: 50 } } } },
  });
});
