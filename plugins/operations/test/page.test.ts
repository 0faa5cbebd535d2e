import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";

it("brings its page to the web interface, for those who may run jobs", async () => {
  await using host = await startTestHost({ plugins: ["operations"] });
  const [part] = (await host.as("admin").get("/api/plugins/client")).body;
  expect(part).toMatchObject({
    name: "operations",
    nav: [{ label: "Operations", path: "/operations", permission: "system.jobs" }],
    pages: [{ path: "/operations", element: "operations-page" }, { path: "/operations/:section" }],
  });
  const { body: documents } = await host.as("admin").get("/api/plugins/operations/documents");
  expect(documents.readme).toMatch(/^# Operations/);
  const script = await host.as("anonymous").get(part.js);
  expect(script.status).toBe(200);
  expect(script.headers.get("content-type")).toContain("javascript");
});
