import {
  definePlugin,
  KernelPlugins,
  KernelUsers,
  systemViewer,
  type KernelPlugins as KernelPluginsContract,
  type KernelUsers as KernelUsersContract,
} from "@longbox/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, type TinyPlugin } from "./support.js";

const source = (id: string, version = "1.0.0"): TinyPlugin => ({
  id,
  version,
  packageJson: { keywords: ["longbox-plugin", "longbox-source"] },
  activate: answering(`/api/${id}`, version),
});

describe("plugins that manage a kind of plugin", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish(source("brook"));
    await bench.publish(source("brook", "1.1.0"));
    await bench.publish(source("well"));
    await bench.publish({ id: "unrelated" });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  async function open() {
    const reached: { plugins?: KernelPluginsContract; users?: KernelUsersContract } = {};
    const heard = { changes: 0 };
    const plugin = definePlugin({
      requires: { plugins: KernelPlugins, users: KernelUsers },
      activate(capabilities, context) {
        Object.assign(reached, capabilities);
        context.own(capabilities.plugins.onChanged(() => void heard.changes++));
      },
    });
    const manifest = {
      id: "sources",
      title: "Sources",
      description: "Manages sources",
      sdk: "^1.0.0",
      requires: { "kernel.plugins": "^1.0.0", "kernel.users": "^1.0.0" },
    };
    const host = await bench.host({ plugins: [{ manifest, plugin, keywords: ["longbox-plugin"] }] });
    await host.as("admin").post("/api/users", { username: "second", password: "correct horse", role: "admin" });
    const users: Array<{ id: number; username: string }> = (await host.as("admin").get("/api/users")).body;
    const viewer = async (name: string) =>
      (await reached.users!.viewerOf(users.find(({ username }) => username === name)!.id))!;
    return { host, heard, plugins: reached.plugins!, viewer, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
  }

  it("see what is offered and installed of that kind, and nothing else", async () => {
    await using opened = await open();
    const { plugins, viewer } = opened;
    const offered = async () =>
      (await plugins.catalog("longbox-source")).map(({ name, version, installed }) => [name, version, installed]);
    expect(await offered()).toEqual([
      ["brook", "1.1.0", undefined],
      ["well", "1.0.0", undefined],
    ]);
    expect(await plugins.list("longbox-source")).toEqual([]);
    await plugins.install({ name: "@longbox-test/brook", version: "1.0.0", accept: true }, await viewer("admin"));
    await plugins.install({ name: "@longbox-test/unrelated", accept: true }, await viewer("admin"));
    expect(await plugins.list("longbox-source")).toMatchObject([
      { name: "brook", package: "@longbox-test/brook", version: "1.0.0", state: "active", keywords: expect.any(Array) },
    ]);
    expect(await offered()).toEqual([
      ["brook", "1.1.0", "1.0.0"],
      ["well", "1.0.0", undefined],
    ]);
  });

  it("install and remove at once, in the name of the viewer, as the audit trail says", async () => {
    await using opened = await open();
    const { host, plugins, viewer, heard } = opened;
    const admin = await viewer("admin");
    const before = heard.changes;
    expect(await plugins.install({ name: "@longbox-test/well", accept: true }, admin)).toMatchObject({
      name: "well",
      state: "active",
    });
    expect(heard.changes).toBeGreaterThan(before);
    expect((await host.as("viewer").get("/api/well")).status).toBe(200);
    const afterInstall = heard.changes;
    await plugins.uninstall({ name: "well" }, admin);
    expect(heard.changes).toBeGreaterThan(afterInstall);
    expect((await host.as("viewer").get("/api/well")).status).toBe(404);
    expect((await host.as("admin").get("/api/plugins/audit")).body).toMatchObject([
      { action: "uninstall", plugin: "well", username: "admin" },
      { action: "install", plugin: "well", username: "admin" },
    ]);
  });

  it("may do nothing that the viewer may not do now, whatever viewer they make up", async () => {
    await using opened = await open();
    const { host, plugins, viewer } = opened;
    const forbidden = { kind: "forbidden", code: "kernel/forbidden" };
    const [trusted, admin] = [await viewer("trusted"), await viewer("admin")];
    const request = { name: "@longbox-test/well", accept: true };
    await expect(plugins.install(request, trusted)).rejects.toMatchObject(forbidden);
    await expect(plugins.uninstall({ name: "sources" }, trusted)).rejects.toMatchObject(forbidden);
    const forged = { user: admin.user, may: () => true, seesRestricted: true };
    await expect(plugins.install(request, forged)).rejects.toMatchObject({ code: "kernel/foreign-viewer" });
    const held = await viewer("second");
    await host.as("admin").patch(`/api/users/${held.user.id}`, { role: "viewer" });
    await expect(plugins.install(request, held)).rejects.toMatchObject(forbidden);
    // What a package asks for is accepted by a person.
    await expect(plugins.install(request, systemViewer)).rejects.toMatchObject({ code: "kernel/needs-consent" });
    expect(await plugins.install(request, admin)).toMatchObject({ name: "well" });
    expect(await plugins.install(request, systemViewer)).toMatchObject({ name: "well" });
  });

  it("are told what is wrong with what they ask for", async () => {
    await using opened = await open();
    const { plugins, viewer } = opened;
    const admin = await viewer("admin");
    await expect(plugins.install({ name: "../escape" }, admin)).rejects.toMatchObject({
      code: "kernel/invalid-input",
      details: { name: expect.any(String) },
    });
    await expect(plugins.install({ name: "@longbox-test/nothing" }, admin)).rejects.toMatchObject({
      code: "kernel/package-not-found",
    });
    await expect(plugins.uninstall({ name: "nothing" }, admin)).rejects.toMatchObject({ kind: "not-found" });
  });
});
