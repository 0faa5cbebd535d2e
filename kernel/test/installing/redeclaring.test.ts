import { startKernelTestHost } from "@longbox/kernel/testing";
import { expect, it } from "vitest";
import { TarballRegistry } from "../plugins/authoring/tarball-registry.js";
import type { TinyPlugin } from "../plugins/support.js";

const lamps = (version: string, tier: string, more: Partial<TinyPlugin> = {}): TinyPlugin => ({
  id: "lamps",
  version,
  manifest: {
    permissions: [{ key: "lamps.dim", label: "Dim", description: "Dim the lamps", tier }],
    events: [{ domain: "lamps", access: tier }],
  },
  ...more,
});

it("another version may declare its permissions and event domains for others, which ends with it", async () => {
  await using registry = await TarballRegistry.open();
  await using host = await startKernelTestHost({ storage: "sqlite", registry: registry.url });
  const admin = host.as("admin");
  const install = async (plugin: TinyPlugin) => {
    registry.offer(plugin);
    return admin.post("/api/plugins/install", { name: "@longbox-test/lamps", version: plugin.version, accept: true });
  };
  const tier = async () =>
    (await admin.get("/api/permissions")).body.find(({ key }: { key: string }) => key === "lamps.dim").tier;
  expect([(await install(lamps("1.0.0", "admin"))).status, await tier()]).toEqual([200, "admin"]);
  const broken = lamps("2.0.0", "viewer", { activate: "throw new Error('It does not start.')" });
  expect([(await install(broken)).body.code, await tier()]).toEqual(["kernel/upgrade-failed", "admin"]);
  expect((await install(lamps("3.0.0", "viewer"))).body).toMatchObject({ version: "3.0.0", state: "active" });
  expect(await tier()).toBe("viewer");
});
