// A server beside a registry that lies, and what it must not have kept.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { runsLongTests } from "@longbox/test/needs";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { expect } from "vitest";
import { packageLimits, type PackageLimits } from "../../src/plugins/packages/package-limits.js";
import { honest, LyingRegistry } from "../plugins/lying-registry.js";
import { packageOf, temporaryFolder } from "../plugins/support.js";

/** The real limits are tens of times as wide; the long run takes them. */
export const limits: PackageLimits = runsLongTests
  ? packageLimits
  : {
      ...packageLimits,
      tarballBytes: 16 * 1024 * 1024,
      entries: 500,
      unpackedBytes: 64 * 1024 * 1024,
      fileBytes: 32 * 1024 * 1024,
    };

/** A server whose data folder lies in a folder with nothing else in it. */
export class HostileHost implements AsyncDisposable {
  readonly registry = new LyingRegistry();
  readonly #folder: { path: string } & AsyncDisposable;
  #host: KernelTestHost | undefined;
  #before: readonly string[] = [];

  private constructor(folder: { path: string } & AsyncDisposable) {
    this.#folder = folder;
  }

  static async open(own: Partial<PackageLimits> = {}): Promise<HostileHost> {
    const opened = new HostileHost(await temporaryFolder());
    await opened.registry.open();
    opened.#host = await startKernelTestHost({
      storage: "sqlite",
      registry: opened.registry.url,
      dataFolder: path.join(opened.#folder.path, "data"),
      kernel: { plugins: { packages: { ...limits, ...own } } },
    });
    // A file that is being replaced just then is none of those that stay.
    opened.#before = (await opened.#names()).filter((name) => !name.endsWith(".new"));
    return opened;
  }

  get host(): KernelTestHost {
    return this.#host!;
  }

  async attempt(): Promise<{ readonly status: number; readonly code: string; readonly body: any }> {
    const { status, body } = await this.host
      .as("admin")
      .post("/api/plugins/install", { name: packageOf(honest), accept: true });
    return { status, code: body.code as string, body };
  }

  async removeAll(): Promise<void> {
    const admin = this.host.as("admin");
    for (const { name } of (await admin.get("/api/plugins")).body as Array<{ name: string }>)
      expect((await admin.post("/api/plugins/uninstall", { name, purge: true })).status).toBe(200);
  }

  /** Nothing is installed, and nothing lies about, inside of the data folder or beside it. */
  async expectNothing(): Promise<void> {
    expect((await this.host.as("admin").get("/api/plugins")).body).toEqual([]);
    const lock = await readFile(path.join(this.host.dataFolder, "plugins.lock.json"), "utf8").catch(() => "{}");
    expect((JSON.parse(lock) as { plugins?: unknown[] }).plugins ?? []).toEqual([]);
    expect(await this.#names()).toEqual(this.#before);
    for (const outside of ["/tmp/longbox-escaped.js", "/longbox-escaped.js"]) expect(existsSync(outside)).toBe(false);
  }

  /** What lies in the folder around the data, without what databases keep beside themselves. */
  async #names(): Promise<string[]> {
    const found = await readdir(this.#folder.path, { recursive: true });
    const own = /(-(wal|shm|journal)|plugins\.lock\.json.*|audit.*)$/;
    return found.filter((name) => !own.test(name)).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    this.registry.close();
    await this.#folder[Symbol.asyncDispose]();
  }
}
