import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { createGzip } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { install, packageOf, type TinyPlugin } from "./support.js";
import { packageLimits } from "../../src/plugins/packages/package-limits.js";
import { entriesOf, integrityOf, tarball, tarEntry, type Entry } from "./tarballs.js";

const honest: TinyPlugin = { id: "sly", package: "@longbox-test/sly" };

/** The real limits are tens of times as wide; the long run takes them. */
const limits =
  process.env["LONGBOX_LONG_TESTS"] === "1"
    ? packageLimits
    : { tarballBytes: 16 * 1024 * 1024, entries: 500, unpackedBytes: 64 * 1024 * 1024, trialMs: 10_000 };

/** A registry that offers exactly what a test tells it to. */
class LyingRegistry {
  url = "";
  packument: unknown;
  send: (response: ServerResponse) => void = () => {};
  readonly #server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return this.send(response);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(this.packument));
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Offers one version; the integrity is that of `bytes`, unless another is given. */
  offer(
    bytes: Buffer,
    options: { name?: string; version?: string; integrity?: string | undefined; tarball?: string } = {},
  ): void {
    const { name = packageOf(honest), version = "1.0.0" } = options;
    const integrity = "integrity" in options ? options.integrity : integrityOf(bytes);
    const dist = {
      tarball: options.tarball ?? `${this.url}/sly-${version}.tgz`,
      ...(integrity === undefined ? {} : { integrity }),
    };
    this.packument = { name, "dist-tags": { latest: version }, versions: { [version]: { name, version, dist } } };
    this.send = (response) => response.end(bytes);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe("a registry that lies and packages that do harm", () => {
  const registry = new LyingRegistry();
  let host: KernelTestHost;
  beforeAll(async () => {
    await registry.open();
    host = await startKernelTestHost({
      storage: "sqlite",
      registry: registry.url,
      kernel: { plugins: { packages: limits } },
    });
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    registry.close();
  });

  const attempt = async () => {
    const { status, body } = await host
      .as("admin")
      .post("/api/plugins/install", { name: packageOf(honest), accept: true });
    return { status, code: body.code as string };
  };
  /** Nothing is installed, and nothing lies about. */
  const expectNothing = async () => {
    expect((await host.as("admin").get("/api/plugins")).body).toEqual([]);
    const plugins = path.join(host.dataFolder, "plugins");
    expect([await readdir(path.join(plugins, "store")), await readdir(path.join(plugins, "staging"))]).toEqual([
      [],
      [],
    ]);
    expect(
      JSON.parse(await readFile(path.join(host.dataFolder, "plugins.lock.json"), "utf8").catch(() => '{"plugins":[]}'))
        .plugins,
    ).toEqual([]);
  };
  const withEntry = (...entries: Entry[]) => tarball([...entriesOf(honest), ...entries]);

  const good = () => tarball(entriesOf(honest));
  const lies: ReadonlyArray<readonly [string, string, () => void]> = [
    [
      "other bytes than it promised",
      "kernel/integrity-mismatch",
      () => (
        registry.offer(good()),
        (registry.send = (response) => response.end(withEntry({ name: "package/more.js", text: "1" })))
      ),
    ],
    [
      "a package that breaks off",
      "kernel/tarball-truncated",
      () => (
        registry.offer(good()),
        (registry.send = (response) => (
          response.setHeader("content-length", 5000),
          response.write(good().subarray(0, 100)),
          setTimeout(() => response.destroy(), 20)
        ))
      ),
    ],
    [
      "a tarball on another host",
      "kernel/tarball-elsewhere",
      () => registry.offer(good(), { tarball: "http://127.0.0.1:1/sly.tgz" }),
    ],
    ["no integrity", "kernel/no-integrity", () => registry.offer(good(), { integrity: undefined })],
    [
      "only a weak integrity",
      "kernel/no-integrity",
      () => registry.offer(good(), { integrity: "sha1-qqqqqqqqqqqqqqqqqqqqqqqqqqo=" }),
    ],
    [
      "another package than was asked for",
      "kernel/wrong-package",
      () => registry.offer(good(), { name: "@longbox-test/other" }),
    ],
    [
      "a package whose own name is another",
      "kernel/wrong-package",
      () => registry.offer(tarball(entriesOf({ ...honest, package: "@longbox-test/other" }))),
    ],
    [
      "a package whose own version is another",
      "kernel/wrong-package",
      () => registry.offer(tarball(entriesOf({ ...honest, version: "2.0.0" }))),
    ],
    ["what is no registry's answer", "kernel/registry-broken", () => (registry.packument = { hello: "there" })],
    [
      "a package that is no plugin",
      "kernel/not-a-plugin",
      () => registry.offer(tarball(entriesOf({ ...honest, packageJson: { keywords: [] } }))),
    ],
    [
      "a manifest with a field that does not exist",
      "kernel/bad-manifest",
      () => registry.offer(tarball(entriesOf({ ...honest, manifest: { surprise: true } }))),
    ],
    [
      "a plugin for another SDK",
      "kernel/sdk-too-different",
      () => registry.offer(tarball(entriesOf({ ...honest, manifest: { sdk: "^99.0.0" } }))),
    ],
    [
      "a plugin named after the kernel",
      "kernel/bad-manifest",
      () => registry.offer(tarball(entriesOf({ ...honest, id: "kernel" }))),
    ],
    [
      "a symbolic link",
      "kernel/tarball-link",
      () => registry.offer(withEntry({ name: "package/link", type: "2", target: "/etc/passwd" })),
    ],
    [
      "a hard link",
      "kernel/tarball-link",
      () => registry.offer(withEntry({ name: "package/link", type: "1", target: "package/index.js" })),
    ],
    [
      "a name that climbs out",
      "kernel/tarball-outside",
      () => registry.offer(withEntry({ name: "package/../../escaped.js", text: "1" })),
    ],
    [
      "an absolute name",
      "kernel/tarball-outside",
      () => registry.offer(withEntry({ name: "/tmp/longbox-escaped.js", text: "1" })),
    ],
    [
      "a name with a drive",
      "kernel/tarball-outside",
      () => registry.offer(withEntry({ name: "C:/escaped.js", text: "1" })),
    ],
    [
      "a name with a backslash",
      "kernel/tarball-backslash",
      () => registry.offer(withEntry({ name: "package\\escaped.js", text: "1" })),
    ],
    [
      "a name with a control character",
      "kernel/tarball-bad-name",
      () => registry.offer(withEntry({ name: "package/a\nb.js", text: "1" })),
    ],
    [
      "the same name twice",
      "kernel/tarball-duplicate",
      () => registry.offer(withEntry({ name: "package/index.js", text: "1" })),
    ],
    [
      "names that differ only in case",
      "kernel/tarball-duplicate",
      () => registry.offer(withEntry({ name: "package/INDEX.js", text: "1" })),
    ],
    [
      "a file where a folder is",
      "kernel/tarball-duplicate",
      () => registry.offer(withEntry({ name: "package/a/b.js", text: "1" }, { name: "package/a", text: "1" })),
    ],
    ["a device", "kernel/tarball-device", () => registry.offer(withEntry({ name: "package/null", type: "3" }))],
    ["a pipe", "kernel/tarball-device", () => registry.offer(withEntry({ name: "package/pipe", type: "6" }))],
    [
      "an entry longer than its archive",
      "kernel/tarball-broken",
      () => registry.offer(withEntry({ name: "package/long.js", text: "1", claimedSize: 100_000 })),
    ],
    ["no archive at all", "kernel/tarball-broken", () => registry.offer(Buffer.from("hello, this is not a tarball"))],
    [
      "more entries than any plugin needs",
      "kernel/tarball-too-many-files",
      () =>
        registry.offer(
          tarball([
            ...entriesOf(honest),
            ...Array.from({ length: limits.entries + 1 }, (_, n) => ({ name: `package/f${n}` })),
          ]),
        ),
    ],
    [
      "an entry that claims more than may be unpacked",
      "kernel/unpacked-too-large",
      () => registry.offer(withEntry({ name: "package/big", claimedSize: limits.unpackedBytes + 1 })),
    ],
    [
      "code that does not load",
      "kernel/trial-import-failed",
      () => registry.offer(tarball(entriesOf({ ...honest, head: "throw new Error('not today');" }))),
    ],
    [
      "code that ends the process while it is loaded",
      "kernel/trial-import-failed",
      () => registry.offer(tarball(entriesOf({ ...honest, head: "process.exit(0);" }))),
    ],
  ];

  it.each([
    ["never ends loading", "for (;;);"],
    ["waits for ever while it is loaded", "await new Promise((resolve) => setTimeout(resolve, 2 ** 30));"],
  ])("refuses code that %s, once its time is up, and keeps nothing", async (_, head) => {
    registry.offer(tarball(entriesOf({ ...honest, head })));
    const startedAt = performance.now();
    const answer = await attempt();
    expect(answer).toMatchObject({ code: "kernel/trial-import-failed", status: 400 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(limits.trialMs);
    await expectNothing();
  });

  it.each(lies)("refuses %s (%s) and keeps nothing", async (_, code, arrange) => {
    arrange();
    const answer = await attempt();
    expect(answer.code).toBe(code);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(503);
    await expectNothing();
  });

  it("refuses a stream without end, in bounded memory", async () => {
    registry.offer(good());
    const block = Buffer.alloc(1024 * 1024, 7);
    registry.send = (response) => {
      const more = () => {
        while (response.write(block)) continue;
      };
      response.on("drain", more);
      more();
    };
    const before = process.memoryUsage.rss();
    expect((await attempt()).code).toBe("kernel/tarball-too-large");
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 * 1024);
    await expectNothing();
  });

  it("refuses a bomb that unpacks to nothing but zeros", async () => {
    const bomb = createGzip({ level: 1 });
    const chunks: Buffer[] = [];
    bomb.on("data", (chunk: Buffer) => chunks.push(chunk));
    const zeros = Buffer.alloc(16 * 1024 * 1024);
    bomb.write(Buffer.concat(entriesOf(honest).map(tarEntry)));
    for (let n = 0; n < limits.unpackedBytes / zeros.length + 1; n += 1) {
      bomb.write(tarEntry({ name: `package/zeros${n}`, claimedSize: zeros.length }));
      await new Promise((resolve) => bomb.write(zeros, resolve));
    }
    await new Promise<void>((resolve) => bomb.end(resolve));
    registry.offer(Buffer.concat(chunks));
    expect((await attempt()).code).toBe("kernel/unpacked-too-large");
    await expectNothing();
  }, 60_000);

  it("is asked for some packages at a time, and not for as many as it likes", async () => {
    const asked = new Set<string>();
    let [open, most] = [0, 0];
    const boastful = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      if (request.url!.startsWith("/-/"))
        return void response.end(
          JSON.stringify({
            objects: Array.from({ length: 5_000 }, (_, n) => ({
              package: { name: `boast-${n}`, keywords: ["longbox-plugin"] },
            })),
          }),
        );
      asked.add(request.url!);
      most = Math.max(most, ++open);
      setTimeout(() => (open--, response.end("{}")), 1);
    });
    await new Promise<void>((resolve) => boastful.listen(0, "127.0.0.1", resolve));
    try {
      await using other = await startKernelTestHost({
        registry: `http://127.0.0.1:${(boastful.address() as AddressInfo).port}`,
      });
      expect((await other.as("admin").get("/api/plugins/catalog")).body).toEqual([]);
    } finally {
      boastful.closeAllConnections();
      boastful.close();
    }
    expect(asked.size).toBe(1_000);
    expect(most).toBeLessThanOrEqual(8);
  });

  it("refuses to take other bytes for a version that is installed", async () => {
    registry.offer(good());
    await install(host, packageOf(honest));
    registry.offer(withEntry({ name: "package/more.js", text: "1" }));
    expect(await attempt()).toEqual({ status: 409, code: "kernel/integrity-changed" });
    await host.as("admin").post("/api/plugins/uninstall", { name: "sly", purge: true });
    await expectNothing();
  });

  it("loads a package without the kernel's environment", async () => {
    const curious = (wanted: string) => ({
      ...honest,
      head: `if ((${wanted}) === 0) throw new Error("It sees " + Object.keys(process.env).join());`,
      // It is not switched on, where it would see more: only the trial loads it.
      manifest: { requires: { nowhere: "^1.0.0" } },
    });
    registry.offer(tarball(entriesOf(curious("Object.keys(process.env).length"))));
    expect(await attempt()).toMatchObject({ code: "kernel/trial-import-failed" });
    registry.offer(tarball(entriesOf(curious("Object.keys(process.env).length === 0 ? 1 : 0"))));
    expect(await install(host, packageOf(honest))).toMatchObject({ state: "unsatisfied" });
    await host.as("admin").post("/api/plugins/uninstall", { name: "sly", purge: true });
    await expectNothing();
  });

  it("runs no install script, and nothing of a package in its own thread before it is enabled", async () => {
    const marked = {
      ...honest,
      head: `globalThis[Symbol.for("ran")] = (globalThis[Symbol.for("ran")] ?? 0) + 1;`,
      manifest: { requires: { nowhere: "^1.0.0" } },
      packageJson: {
        scripts: { preinstall: "touch ran", install: "touch ran", postinstall: "touch ran", prepare: "touch ran" },
      },
    };
    registry.offer(tarball(entriesOf(marked)));
    const row = await install(host, packageOf(honest));
    expect(row).toMatchObject({ state: "unsatisfied", reason: expect.stringContaining("nowhere") });
    expect(Reflect.get(globalThis, Symbol.for("ran"))).toBeUndefined();
    const [folder] = await readdir(path.join(host.dataFolder, "plugins", "store"));
    expect((await readdir(path.join(host.dataFolder, "plugins", "store", folder!))).sort()).toEqual([
      "index.js",
      "package.json",
    ]);
  });
});
