// Criterion 24, the part on plugins that come and go: what becomes of their permissions, and of the routes that ask for
// them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { Bench, install, type TinyPlugin } from "../plugins/support.js";

const key = "lamps.light";
const route = (path: string, access?: string, method = "GET") =>
  `defineRoute({ method: "${method}", path: "${path}", ${access === undefined ? "" : `access: "${access}", `}summary: "answers", handle: () => 1 })`;

const lamps: TinyPlugin = {
  id: "lamps",
  manifest: { permissions: [{ key, label: "Light", description: "Light the lamps.", tier: "admin" }] },
  activate: `context.routes([${route("/api/lamps", key)}, ${route("/api/lamps/shade")}, ${route("/api/lamps/shade", undefined, "POST")}]);`,
};

async function permissions(host: KernelTestHost): Promise<string[]> {
  const { body } = await host.as("admin").get("/api/permissions");
  return body.map((permission: { key: string }) => permission.key);
}

async function roleKeys(host: KernelTestHost, name: string): Promise<string[]> {
  const { body } = await host.as("admin").get("/api/roles");
  return body.find((role: { name: string }) => role.name === name).permissions;
}

describe("criterion 24: the permissions of a plugin", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish(lamps);
    await bench.publish({ id: "careless", activate: `context.routes([${route("/api/careless", "careless.never")}]);` });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("go with it, come back to the roles that had them when it is installed again, and are forgotten with its data", async () => {
    await using host = await bench.host();
    const admin = host.as("admin");
    await install(host, "@longbox-test/lamps");
    await host.role("lighters", ["library.view", key]);
    const [lighter, viewer] = [await host.user("lee", "lighters"), await host.user("vic", "viewer")];
    const statuses = async () => [(await lighter.get("/api/lamps")).status, (await viewer.get("/api/lamps")).status];
    expect(await permissions(host)).toContain(key);
    expect(await statuses()).toEqual([200, 403]);

    await admin.post("/api/plugins/uninstall", { name: "lamps" });
    expect(await permissions(host)).not.toContain(key);
    expect(await statuses()).toEqual([404, 404]);
    await host.restart();
    await install(host, "@longbox-test/lamps");
    expect(await permissions(host)).toContain(key);
    expect(await roleKeys(host, "lighters")).toEqual(["library.view", key]);
    expect(await statuses()).toEqual([200, 403]);

    await admin.post("/api/plugins/uninstall", { name: "lamps", purge: true });
    await install(host, "@longbox-test/lamps");
    expect(await roleKeys(host, "lighters")).toEqual(["library.view"]);
    expect(await statuses()).toEqual([403, 403]);
  });

  it("are asked for by each of its routes: one that names none asks for a tier, and one that is declared by no plugin is refused", async () => {
    await using host = await bench.host();
    await install(host, "@longbox-test/lamps");
    const asked = async (role: string) => {
      const client = host.as(role);
      return [(await client.get("/api/lamps/shade")).status, (await client.post("/api/lamps/shade")).status];
    };
    expect(await asked("anonymous")).toEqual([401, 401]);
    expect(await asked("viewer")).toEqual([200, 403]);
    expect(await asked("trusted")).toEqual([200, 200]);
    const careless = { name: "@longbox-test/careless", accept: true };
    const { status, body } = await host.as("admin").post("/api/plugins/install", careless);
    expect([status, body.code ?? body.state]).toEqual([400, "kernel/undeclared-permission"]);
    expect((await host.as("admin").get("/api/careless")).status).toBe(404);
  });
});
