import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { Bench, install, type TinyPlugin } from "../support.js";
import { entriesOf, tarball } from "../tarballs.js";

describe("publishing through the server", () => {
  let bench: Bench;
  let host: KernelTestHost;
  beforeAll(async () => {
    bench = await Bench.open();
    const registryTokenFile = path.join(bench.registry.folder, "token");
    host = await bench.host({ kernel: { registryTokenFile } });
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
  });

  const authorOf = async (packages: readonly string[]) => {
    const made = await host.as("admin").post("/api/plugins/authors", { name: "Ann", packages });
    expect([made.status, made.body.registry]).toEqual([200, `${bench.registry.url}/`]);
    return made.body as { id: string; token: string };
  };
  const publish = (plugin: TinyPlugin, token: string, bytes = tarball(entriesOf(plugin))) =>
    host.as("anonymous").post("/api/plugins/publish", bytes, { "x-author-token": token });

  it("makes a version that can be installed, and says what the author should improve", async () => {
    const { token } = await authorOf(["@longbox-test/*"]);
    const { status, body } = await publish({ id: "lamps" }, token);
    expect([status, body.package, body.version]).toEqual([200, "@longbox-test/lamps", "1.0.0"]);
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual([
      "no-licence",
      "no-readme",
      "no-repository",
    ]);
    expect(await install(host, "@longbox-test/lamps")).toMatchObject({ state: "active", version: "1.0.0" });
    const audit = await host.as("admin").get("/api/plugins/audit");
    expect(audit.body).toContainEqual(
      expect.objectContaining({ action: "publish", plugin: "lamps", version: "1.0.0", username: "Ann" }),
    );
  });

  it("never changes a version that is there", async () => {
    const { token } = await authorOf(["@longbox-test/once"]);
    expect((await publish({ id: "once" }, token)).status).toBe(200);
    expect(await publish({ id: "once", manifest: { title: "Twice" } }, token)).toMatchObject({
      status: 409,
      body: {
        code: "kernel/version-published",
        error: 'The registry has this version of "@longbox-test/once" already. Raise "version" in its package.json.',
      },
    });
  });

  it("refuses packages of others, packages with mistakes, and what is no package", async () => {
    const { token } = await authorOf(["@longbox-test/mine"]);
    expect(await publish({ id: "other" }, token)).toMatchObject({
      status: 403,
      body: { code: "kernel/not-your-package", error: expect.stringContaining("@longbox-test/other") },
    });
    const key = { key: "reader.read", label: "Read", description: "", tier: "viewer" };
    expect(await publish({ id: "mine", manifest: { permissions: [key] } }, token)).toMatchObject({
      status: 400,
      body: { code: "kernel/plugin-mistakes" },
    });
    expect((await publish({ id: "mine" }, token, Buffer.from("no package"))).body.code).toBe("kernel/tarball-broken");
    const missing = await host.as("admin").post("/api/plugins/install", { name: "@longbox-test/mine" });
    expect(missing.status).toBe(404);
  });

  it("runs no code of the package: that begins when an admin accepts it", async () => {
    const { token } = await authorOf(["@longbox-test/eager"]);
    const sign = path.join(host.dataFolder, "eager-was-here");
    const head = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(sign)}, "");`;
    expect((await publish({ id: "eager", head }, token)).status).toBe(200);
    expect(existsSync(sign)).toBe(false);
  });

  it("ends with the token, which only admins make, see without its secret, and revoke", async () => {
    const { id, token } = await authorOf(["@longbox-test/*"]);
    const listed = await host.as("admin").get("/api/plugins/authors");
    expect(JSON.stringify(listed.body)).not.toContain(token);
    expect(listed.body).toContainEqual(expect.objectContaining({ id, name: "Ann", packages: ["@longbox-test/*"] }));
    for (const role of ["viewer", "trusted"]) {
      const client = host.as(role);
      expect((await client.get("/api/plugins/authors")).status).toBe(403);
      expect((await client.post("/api/plugins/authors", { name: "x", packages: ["x"] })).status).toBe(403);
      expect((await client.delete(`/api/plugins/authors/${id}`)).status).toBe(403);
    }
    expect((await host.as("admin").delete(`/api/plugins/authors/${id}`)).status).toBe(200);
    expect((await host.as("admin").delete(`/api/plugins/authors/${id}`)).status).toBe(404);
    expect((await publish({ id: "late" }, token)).status).toBe(401);
    expect((await host.as("admin").post("/api/plugins/publish", Buffer.from("x"))).status).toBe(401);
  });

  it("is not possible on a server without a token for its registry", async () => {
    await using reader = await startKernelTestHost({ registry: bench.registry.url, storage: "sqlite" });
    const made = await reader.as("admin").post("/api/plugins/authors", { name: "Ann", packages: ["@longbox-test/*"] });
    const bytes = tarball(entriesOf({ id: "nowhere" }));
    const headers = { "x-author-token": made.body.token };
    expect(await reader.as("anonymous").post("/api/plugins/publish", bytes, headers)).toMatchObject({
      status: 503,
      body: { code: "kernel/registry-only-read" },
    });
  });
});
