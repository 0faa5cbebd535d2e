import { startKernelTestHost } from "@longbox/kernel/testing";
import { definePlugin, defineRoute } from "@longbox/sdk";
import { expect, it } from "vitest";

const lamp = {
  manifest: { id: "lamp", title: "Lamp", description: "Answers", sdk: "^1.0.0" },
  plugin: definePlugin({
    activate(_, context) {
      context.routes([defineRoute({ method: "GET", path: "/api/lamp", summary: "Answers", handle: () => "lit" })]);
    },
  }),
};

it("refuses a test that read nothing of a request that failed, and names the request", async () => {
  const host = await startKernelTestHost();
  const admin = host.as("admin");
  expect((await admin.get("/api/none")).status).toBe(404);
  expect((await admin.get("/api/none")).body).toMatchObject({ code: expect.any(String) });
  expect((await admin.get("/api/none")).body.error).toMatch(/\.$/);
  await admin.get("/healthz");
  await admin.get("/api/ignored");
  await expect(host[Symbol.asyncDispose]()).rejects.toThrow(
    /^The test did not read the status of a request that failed:\nGET \/api\/ignored answered 404 .*\n {2}at .*unread-failures\.test\.ts/,
  );
});

it("lets a test ask until there is an answer, and counts no answer of another user for it", async () => {
  const host = await startKernelTestHost({ plugins: [lamp] });
  await host.disable("lamp");
  for (const role of ["admin", "viewer"]) await host.as(role).get("/api/lamp");
  await host.enable("lamp");
  await host.as("admin").get("/api/lamp");
  await expect(host[Symbol.asyncDispose]()).rejects.toThrow(/\nGET \/api\/lamp answered 404 .*\n.*$/);
});
