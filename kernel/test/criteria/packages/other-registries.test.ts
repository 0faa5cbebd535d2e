// Criteria 13 and 14: packages of the house never come from elsewhere, and the server needs no registry.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { publishFolder, startRegistry, type Registry } from "@longbox/registry";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { runsLongTests } from "@longbox/test/needs";
import { ownNow } from "@longbox/test/undisturbed";
import { expect, it } from "vitest";
import { answering, install, temporaryFolder, writePlugin, type TinyPlugin } from "../../plugins/support.js";
import { tellFigures } from "../load.js";

async function publish(registry: Registry, plugin: TinyPlugin): Promise<void> {
  await using folder = await temporaryFolder();
  await writePlugin(folder.path, plugin);
  await publishFolder(folder.path, registry);
}

/** A public registry with a version 99.0.0 of whatever it is asked for, and the paths that it was asked for. */
async function publicRegistry() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url ?? "").slice(1);
    asked.push(name);
    const dist = { tarball: "http://127.0.0.1:1/evil.tgz", integrity: "sha512-x" };
    const versions = { "99.0.0": { name, version: "99.0.0", dist } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: "99.0.0" }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

it("criterion 13: a package of the house is never asked for at the registry behind its own, whether that has it, has it not, or is away", async () => {
  using elsewhere = await publicRegistry();
  await using folder = await temporaryFolder();
  const registry = await startRegistry({ folder: folder.path, upstream: elsewhere.url });
  let isUp = true;
  try {
    await publish(registry, { id: "reader", package: "@longbox/reader", activate: answering("/api/reader", "ours") });
    await using host = await startKernelTestHost({ registry: registry.url });
    const admin = host.as("admin");
    const ask = (name: string, version?: string) =>
      admin.post("/api/plugins/install", { name, accept: true, ...(version === undefined ? {} : { version }) });
    expect(await ask("@longbox/reader")).toMatchObject({ status: 200, body: { version: "1.0.0" } });
    expect(await ask("reader")).toMatchObject({ status: 200, body: { version: "1.0.0" } });
    expect(await ask("@longbox/reader", "99.0.0")).toMatchObject({
      status: 404,
      body: { code: "kernel/version-not-found" },
    });
    for (const name of ["@longbox/nowhere", "nowhere"])
      expect(await ask(name)).toMatchObject({ status: expect.toSatisfy((status) => status === 404 || status === 502) });
    await admin.get("/api/plugins/catalog");
    // The registry does ask there for the packages of others.
    expect(await ask("@stranger/thing")).toMatchObject({ status: 502, body: { code: "kernel/registry-broken" } });
    expect(elsewhere.asked.join()).toContain("@stranger/thing");
    await registry.stop();
    isUp = false;
    expect(await ask("@longbox/reader", "99.0.0")).toMatchObject({
      status: 502,
      body: { code: "kernel/registry-unreachable" },
    });
    expect((await admin.get("/api/plugins/reader")).body).toMatchObject({ version: "1.0.0", state: "active" });
  } finally {
    if (isUp) await registry.stop();
  }
  expect(elsewhere.asked.filter((asked) => asked.includes("@longbox/"))).toEqual([]);
});

/** What an operation may take longer without a registry. A busy machine takes longer with one, too. */
const moreMs = runsLongTests ? 300 : 5_000;
type Operation = readonly [name: string, run: () => Promise<unknown>];

/** The operations that need no registry, each with what it must answer, in an order that ends as it began. */
function operations(host: KernelTestHost): readonly Operation[] {
  const admin = host.as("admin");
  const switched = (enabled: boolean) => admin.post("/api/plugins/lasting/enabled", { enabled });
  return [
    ["boot", () => host.restart()],
    ["serve", async () => expect((await admin.get("/api/lasting")).body).toBe("1.1.0")],
    ["disable", async () => expect((await switched(false)).body).toMatchObject({ state: "disabled" })],
    ["enable", async () => expect((await switched(true)).body).toMatchObject({ state: "active" })],
    [
      "roll back",
      async () =>
        expect((await admin.post("/api/plugins/lasting/rollback")).body).toMatchObject({
          version: "1.0.0",
          state: "active",
          updateAvailable: "1.1.0",
        }),
    ],
    ["remove", async () => expect((await admin.post("/api/plugins/uninstall", { name: "lasting" })).status).toBe(200)],
    ["install again", () => install(host, "lasting", "1.0.0")],
    [
      "purge another",
      async () =>
        expect((await admin.post("/api/plugins/uninstall", { name: "passing", purge: true })).body).toMatchObject({
          removed: true,
        }),
    ],
    ["catalog", async () => expect((await admin.get("/api/plugins/catalog")).status).toBe(200)],
  ];
}

it("criterion 14: without its registry the server starts, switches, rolls back, removes, purges and installs again, about as fast as with it", async () => {
  const { path: folder, ...disposal } = await temporaryFolder();
  const registry = await startRegistry({ folder: path.join(folder, "registry") });
  let isUp = true;
  try {
    for (const version of ["1.0.0", "1.1.0"])
      await publish(registry, { id: "lasting", version, activate: answering("/api/lasting", version) });
    await publish(registry, { id: "passing", activate: answering("/api/passing", "passing") });
    await using host = await startKernelTestHost({ storage: "sqlite", registry: registry.url });
    const admin = host.as("admin");
    const arrange = async () => {
      await install(host, "@longbox-test/lasting", "1.0.0");
      await install(host, "@longbox-test/lasting", "1.1.0");
      await install(host, "@longbox-test/passing");
      await admin.get("/api/plugins/catalog");
    };
    const measure = async () => {
      const took = new Map<string, number>();
      for (const [name, run] of operations(host)) {
        const begun = ownNow();
        await run();
        took.set(name, ownNow() - begun);
      }
      return took;
    };
    await arrange();
    const usual = await measure();
    await arrange();
    await registry.stop();
    isUp = false;
    const without = await measure();
    const more = [...without].map(([name, took]) => [name, took - usual.get(name)!] as const);
    tellFigures(`criterion 14: ${more.map(([name, ms]) => `${name} ${ms.toFixed()} ms more`).join(", ")}`);
    expect(more.filter(([, ms]) => ms > moreMs)).toEqual([]);
    expect((await admin.get("/api/lasting")).body).toBe("1.0.0");
    expect((await admin.get("/api/plugins/catalog")).body).toMatchObject([
      { name: "lasting", version: "1.1.0", installed: "1.0.0", updateAvailable: true, stale: true },
      { name: "passing", stale: true },
    ]);
    expect(await admin.post("/api/plugins/install", { name: "lasting", version: "3.0.0" })).toMatchObject({
      status: 502,
      body: { code: "kernel/registry-unreachable" },
    });
  } finally {
    if (isUp) await registry.stop();
    await disposal[Symbol.asyncDispose]();
  }
});
