import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { publishBuilt, startRegistry } from "@longbox/registry";
import { startTestHost } from "@longbox/sdk/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");
let data: string;
beforeAll(async () => void (data = await mkdtemp(join(tmpdir(), "longbox-hello-test-"))));
afterAll(() => rm(data, { recursive: true, force: true }));

it("greets the user, with the greeting from the settings", async () => {
  await using host = await startTestHost({ plugins: [folder], settings: { hello: { greeting: "Ahoy" } } });
  const answer = await host.as("viewer").get("/api/hello");
  expect(answer).toMatchObject({ status: 200, body: { message: expect.stringMatching(/^Ahoy, .+!$/) } });
  expect((await host.as("anonymous").get("/api/hello")).status).toBe(401);
});

it("is installed from a registry, greets at once, and is gone when it is removed", async () => {
  await using registry = await startRegistry({ folder: join(data, "registry") });
  const { version } = await publishBuilt(folder, registry);
  await using host = await startKernelTestHost({ registry: registry.url });
  const admin = host.as("admin");
  expect((await admin.get("/api/hello")).status).toBe(404);

  const installed = await admin.post("/api/plugins/install", { name: "@longbox/example-hello" });
  expect(installed).toMatchObject({
    status: 200,
    body: { name: "hello", package: "@longbox/example-hello", version, state: "active", restartRequired: false },
  });
  expect((await host.as("viewer").get("/api/hello")).body.message).toMatch(/^Hello, /);
  const [part] = (await host.as("viewer").get("/api/plugins/client")).body;
  expect(part).toMatchObject({ name: "hello", slots: [{ slot: "home", element: "hello-greeting" }] });
  const script = await host.as("anonymous").get(part.js);
  expect(script.headers.get("content-type")).toMatch(/javascript/);
  expect(script.body).toContain("customElements.define");

  expect((await admin.post("/api/plugins/uninstall", { name: "hello", purge: true })).status).toBe(200);
  expect((await admin.get("/api/hello")).status).toBe(404);
  expect((await admin.get("/api/plugins/client")).body).toEqual([]);
});
