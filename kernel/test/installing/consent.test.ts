import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install, packageOf, type TinyPlugin } from "../plugins/support.js";
import { entriesOf, integrityOf, tarball } from "../plugins/tarballs.js";

const permission = (key: string, tier = "trusted") => ({ key, label: `Use ${key}`, description: "", tier });
const guest: TinyPlugin = { id: "guest", package: "@stranger/guest" };

/** A registry that signs what it offers, or not, and says who published it. */
class SigningRegistry {
  url = "";
  readonly #pair = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  #bytes: Buffer = Buffer.alloc(0);
  #packument: unknown;
  readonly #server = createServer(({ url = "" }, response) => {
    if (url.endsWith(".tgz")) return void response.end(this.#bytes);
    response.setHeader("content-type", "application/json");
    const key = this.#pair.publicKey.export({ format: "der", type: "spki" }).toString("base64");
    response.end(JSON.stringify(url.endsWith("/keys") ? { keys: [{ keyid: "one", key }] } : this.#packument));
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @param says - what the registry says of the version; `signed` is the text that it signs */
  offer(plugin: TinyPlugin, says: { publisher?: string; signed?: string; deprecated?: string } = {}): void {
    const { version = "1.0.0" } = plugin;
    const name = packageOf(plugin);
    this.#bytes = tarball([
      ...entriesOf(plugin),
      ...Object.entries(plugin.files ?? {}).map(([path, text]) => ({ name: `package/${path}`, text })),
    ]);
    const integrity = integrityOf(this.#bytes);
    const text = says.signed === "truly" ? `${name}@${version}:${integrity}` : says.signed;
    const signatures = text && [
      { keyid: "one", sig: sign("sha256", Buffer.from(text), this.#pair.privateKey).toString("base64") },
    ];
    const dist = { tarball: `${this.url}/guest-${version}.tgz`, integrity, ...(signatures && { signatures }) };
    const _npmUser = says.publisher && { name: says.publisher };
    const published = { name, version, dist, ...(_npmUser && { _npmUser }), deprecated: says.deprecated };
    this.#packument = { name, "dist-tags": { latest: version }, versions: { [version]: published } };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** What a plugin asks for, as `kind name`, from the answer that lists it. */
const asked = (body: {
  details?: { asks: { kind: string; name: string }[] };
  asks?: { kind: string; name: string }[];
}) => (body.details?.asks ?? body.asks)?.map(({ kind, name }) => `${kind} ${name}`);

describe("a package of another publisher", () => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.open()));
  afterAll(() => bench[Symbol.asyncDispose]());

  const installed = (host: KernelTestHost, name: string, accept?: boolean) =>
    host.as("admin").post("/api/plugins/install", { name, ...(accept && { accept }) });

  it("is installed only after what it asks for was accepted, and none of its code runs before", async () => {
    await bench.publish({
      ...guest,
      manifest: {
        permissions: [permission("guest.write")],
        optional: { "kernel.users": "^1.0.0" },
        contributes: { credentialProviders: "^1.0.0", tools: "^1.0.0" },
        provides: { "guest.words": "1.0.0" },
        publicRoutes: ["GET /api/guest"],
        basePaths: ["/guest"],
        hosts: ["api.example.org"],
        workers: { counter: "index.js" },
      },
      head: `throw new Error("it ran");`,
    });
    await using host = await bench.host();
    const refused = await installed(host, "@stranger/guest");
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "kernel/needs-consent",
        details: {
          package: "@stranger/guest",
          version: "1.0.0",
          isFromThisHouse: false,
          needsConsent: true,
          checks: { integrity: "verified", signature: "unsupported", provenance: "missing" },
        },
      },
    });
    expect(asked(refused.body)).toEqual([
      "code server",
      "permission guest.write",
      "credentials credentialProviders",
      "public-route GET /api/guest",
      "base-path /guest",
      "host api.example.org",
      "worker counter",
      "kernel-part kernel.users",
      "contract guest.words",
      "extension tools",
    ]);
    expect((await host.as("admin").get("/api/plugins")).body).toEqual([]);
    const { body } = await host.as("admin").post("/api/plugins/introduce", { name: "@stranger/guest" });
    expect(asked(body)).toEqual(asked(refused.body));
    expect(await installed(host, "@stranger/guest", true)).toMatchObject({
      status: 400,
      body: { code: "kernel/trial-import-failed", error: expect.stringContaining("it ran") as string },
    });
  });

  it("is upgraded without a question unless it asks for more; then only that is shown, and nothing has changed before", async () => {
    const version = (number: string, keys: string[], hosts?: string[]): TinyPlugin => ({
      id: "grower",
      version: number,
      manifest: { permissions: keys.map((key) => permission(key, "viewer")), ...(hosts && { hosts }) },
      activate: answering("/api/grower", number),
    });
    await bench.publish(version("1.0.0", ["grower.read"]));
    await using host = await bench.host();
    const admin = host.as("admin");
    await install(host, "@longbox-test/grower");
    // It could reach every host before.
    await bench.publish(version("1.1.0", ["grower.read"], ["*.example.org"]));
    expect(await installed(host, "grower")).toMatchObject({ status: 200, body: { version: "1.1.0" } });
    await bench.publish(version("2.0.0", ["grower.read", "grower.write"], ["api.example.org", "example.net"]));
    const refused = await installed(host, "grower");
    expect(refused).toMatchObject({ status: 409, body: { code: "kernel/needs-consent" } });
    expect(asked(refused.body)).toEqual(["permission grower.write", "host example.net"]);
    expect((await host.as("viewer").get("/api/grower")).body).toBe("1.1.0");
    const keys = async () => {
      const { body } = await admin.get("/api/roles");
      return (body as { name: string; permissions: string[] }[]).find(({ name }) => name === "viewer")?.permissions;
    };
    expect(await keys()).not.toContain("grower.write");
    expect(await installed(host, "grower", true)).toMatchObject({ status: 200, body: { version: "2.0.0" } });
    expect(await keys()).toContain("grower.write");
    const { body: trail } = await admin.get("/api/plugins/audit");
    expect(trail[0]).toMatchObject({
      version: "2.0.0",
      reason:
        'Accepted: Adds the permission "Use grower.write" (grower.write), which viewers, trusted users and administrators get. Sends requests to example.net.',
    });
  });

  it("says whether it runs with the server's rights, and is asked for again when a version gives up its own process", async () => {
    const apart = { manifest: { isolation: "process" } };
    await bench.publish({ id: "leaver", version: "1.0.0", ...apart });
    await bench.publish({ id: "leaver", version: "1.1.0", ...apart });
    await bench.publish({ id: "leaver", version: "2.0.0" });
    await using host = await bench.host();
    const admin = host.as("admin");
    const install = (version: string, accept: boolean) =>
      admin.post("/api/plugins/install", { name: "@longbox-test/leaver", version, accept });
    expect(await install("1.0.0", false)).toMatchObject({
      status: 409,
      body: {
        code: "kernel/needs-consent",
        details: { asks: expect.arrayContaining([expect.objectContaining({ kind: "code", name: "process" })]) },
      },
    });
    expect(await install("1.0.0", true)).toMatchObject({ status: 200, body: { isolation: { mode: "process" } } });
    expect((await install("1.1.0", false)).status).toBe(200);
    expect(await install("2.0.0", false)).toMatchObject({
      status: 409,
      body: { code: "kernel/needs-consent", details: { asks: [{ kind: "code", name: "server" }] } },
    });
    expect((await admin.get("/api/plugins/leaver")).body).toMatchObject({ version: "1.1.0" });
  });

  it("of this house needs no consent, and the audit trail says what it newly asks for", async () => {
    await bench.publish({
      id: "native",
      package: "@longbox/native",
      manifest: { permissions: [permission("other.key")] },
    });
    await using host = await bench.host();
    const { body } = await host.as("admin").post("/api/plugins/introduce", { name: "native" });
    expect(body).toMatchObject({ isFromThisHouse: true, needsConsent: false });
    expect(await installed(host, "native")).toMatchObject({ status: 200, body: { state: "active" } });
    const { body: trail } = await host.as("admin").get("/api/plugins/audit");
    expect(trail[0].reason).toContain("New: Its code runs inside the server");
    expect(trail[0].reason).toContain("other.key");
  });

  it("keeps its permissions, public routes, hosts and paths to what is its own and declared", async () => {
    const grabbers: [string, Omit<TinyPlugin, "id">, object][] = [
      [
        "key",
        { manifest: { permissions: [permission("reader.all")] } },
        {
          status: 400,
          body: {
            details: { mistakes: expect.arrayContaining([expect.objectContaining({ code: "permission-namespace" })]) },
          },
        },
      ],
      [
        "base",
        { manifest: { basePaths: ["/shelf/inside"] } },
        { status: 409, body: { code: "kernel/base-path-taken" } },
      ],
    ];
    const route = (path: string, access = "viewer") =>
      `context.routes([defineRoute({ method: "GET", path: "${path}", access: "${access}", summary: "answers", handle: () => ({}), ${path.includes("{") ? `params: z.object({ id: z.string() }),` : ""} })]);`;
    const head = `import { z } from "zod";`;
    await bench.publish({ id: "owner", manifest: { basePaths: ["/shelf"] }, head, activate: route("/api/owned/{id}") });
    const failing: [string, Omit<TinyPlugin, "id">, string][] = [
      ["inside", { activate: route("/api/owned/7") }, "kernel/route-overlaps"],
      ["around", { head, activate: route("/api/{id}/7") }, "kernel/route-overlaps"],
      ["open", { activate: route("/api/open", "public") }, "kernel/undeclared-public-route"],
      [
        "caller",
        { manifest: { hosts: ["api.example.org"] }, activate: `await context.fetch("http://127.0.0.1:9/");` },
        "kernel/undeclared-host",
      ],
    ];
    await using host = await bench.host();
    await install(host, "@longbox-test/owner");
    for (const [id, plugin, answer] of grabbers) {
      await bench.publish({ id, ...plugin });
      expect(await installed(host, `@longbox-test/${id}`, true)).toMatchObject(answer);
    }
    for (const [id, plugin, code] of failing) {
      await bench.publish({ id, ...plugin });
      const answer = await installed(host, `@longbox-test/${id}`, true);
      // What another plugin has may be free one day; what the server has, or the plugin did not declare, never is.
      const fails = id === "inside" ? [200, "failed"] : [400, undefined];
      expect([answer.status, answer.body.state, answer.body.code]).toEqual([...fails, code]);
    }
    // Also while the owner of the path is switched off.
    await host.as("admin").post("/api/plugins/owner/enabled", { enabled: false });
    expect(await installed(host, "@longbox-test/base", true)).toMatchObject({
      status: 409,
      body: { code: "kernel/base-path-taken" },
    });
    await bench.publish({
      id: "honest",
      manifest: { publicRoutes: ["GET /api/honest"] },
      activate: route("/api/honest", "public"),
    });
    expect(await installed(host, "@longbox-test/honest", true)).toMatchObject({
      status: 200,
      body: { state: "active" },
    });
  });
});

describe("a registry that signs and names publishers", () => {
  const registry = new SigningRegistry();
  let host: KernelTestHost;
  beforeAll(async () => {
    await registry.open();
    host = await startKernelTestHost({ storage: "sqlite", registry: registry.url });
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    registry.close();
  });
  const post = (where: string, more = {}) =>
    host.as("admin").post(`/api/plugins/${where}`, { name: "@stranger/guest", ...more });
  const remove = (purge: boolean) => host.as("admin").post("/api/plugins/uninstall", { name: "guest", purge });

  it("cannot change the publisher of a plugin silently, also after that was removed", async () => {
    registry.offer(guest, { publisher: "alice" });
    const first = await post("install");
    expect(asked(first.body)).toEqual(["published-by alice", "code server", "host *"]);
    expect(await post("install", { accept: true })).toMatchObject({ status: 200 });
    registry.offer({ ...guest, version: "1.1.0" }, { publisher: "alice" });
    expect(await post("install")).toMatchObject({ status: 200, body: { version: "1.1.0" } });
    registry.offer({ ...guest, version: "1.2.0" }, { publisher: "mallory" });
    const changed = await post("install");
    expect(changed).toMatchObject({
      status: 409,
      body: { code: "kernel/needs-consent", details: { publishedBy: "mallory" } },
    });
    expect(changed.body.details.asks).toEqual([
      {
        kind: "published-by",
        name: "mallory",
        detail: "alice",
        text: "It is published by mallory; so far it was published by alice.",
      },
    ]);
    await remove(false);
    expect((await post("install")).body.details.asks[0]).toMatchObject({ name: "mallory", detail: "alice" });
    expect(await post("install", { accept: true })).toMatchObject({ status: 200, body: { version: "1.2.0" } });
    registry.offer({ ...guest, version: "1.3.0" });
    expect(asked((await post("install")).body)).toEqual(["published-by "]);
    await remove(true);
  });

  it("has its signatures checked: one of other bytes is refused, and an admin may require one", async () => {
    registry.offer(guest, { signed: "truly" });
    expect((await post("introduce")).body.checks).toEqual({
      integrity: "verified",
      signature: "verified",
      provenance: "missing",
    });
    registry.offer({ ...guest, version: "1.0.1" }, { signed: "something else" });
    expect(await post("install", { accept: true })).toMatchObject({
      status: 502,
      body: { code: "kernel/signature-invalid" },
    });
    await host.as("admin").post("/api/settings", { server: { pluginSignatures: true } });
    registry.offer({ ...guest, version: "1.0.2" });
    expect(await post("install", { accept: true })).toMatchObject({
      status: 409,
      body: { code: "kernel/signature-required" },
    });
    registry.offer({ ...guest, version: "1.0.3" }, { signed: "truly" });
    expect(await post("install", { accept: true })).toMatchObject({ status: 200, body: { version: "1.0.3" } });
    await host.as("admin").post("/api/settings", { server: { pluginSignatures: false } });
    await remove(true);
  });

  it("has its warnings and the changes since the installed version shown before an upgrade", async () => {
    registry.offer(guest);
    await post("install", { accept: true });
    const changelog =
      "# Changelog\n\n## [1.2.0](x) (2026-02-01)\n\n- newer\n\n## 1.1.0\n\n- new\n\n## 1.0.0\n\n- first\n";
    registry.offer(
      { ...guest, version: "1.2.0", files: { "CHANGELOG.md": changelog } },
      { deprecated: "Use another." },
    );
    expect((await post("introduce")).body).toMatchObject({
      installed: "1.0.0",
      asks: [],
      needsConsent: false,
      deprecated: "Use another.",
      changes: "## [1.2.0](x) (2026-02-01)\n\n- newer\n\n## 1.1.0\n\n- new",
    });
    await remove(true);
  });
});
