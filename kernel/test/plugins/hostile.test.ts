// Code of packages that does harm while it is loaded, and registries that boast.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { install, packageOf } from "./support.js";
import { honest } from "./lying-registry.js";
import { HostileHost } from "../criteria/hostile-host.js";
import { entriesOf, tarball } from "./tarballs.js";

/** Long enough for an honest package on a busy machine, and for one that never ends. */
const [trialMs, endlessMs] = [10_000, 2_000];

describe("packages that do harm", () => {
  let hostile: HostileHost;
  beforeAll(async () => void (hostile = await HostileHost.open({ trialMs })));
  afterAll(() => hostile[Symbol.asyncDispose]());

  it.each([
    ["never ends loading", "for (;;);"],
    ["waits for ever while it is loaded", "await new Promise((resolve) => setTimeout(resolve, 2 ** 30));"],
  ])("refuses code that %s, once its time is up, and keeps nothing", async (_, head) => {
    await using hasty = await HostileHost.open({ trialMs: endlessMs });
    hasty.registry.offer(tarball(entriesOf({ ...honest, head })));
    const startedAt = performance.now();
    const answer = await hasty.attempt();
    expect(answer).toMatchObject({ code: "kernel/trial-import-failed", status: 400 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(endlessMs);
    await hasty.expectNothing();
  });

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

  it("loads a package without the kernel's environment", async () => {
    const curious = (wanted: string) => ({
      ...honest,
      head: `if ((${wanted}) === 0) throw new Error("It sees " + Object.keys(process.env).join());`,
      // It is not switched on, where it would see more: only the trial loads it.
      manifest: { requires: { nowhere: "^1.0.0" } },
    });
    hostile.registry.offer(tarball(entriesOf(curious("Object.keys(process.env).length"))));
    expect(await hostile.attempt()).toMatchObject({ code: "kernel/trial-import-failed" });
    hostile.registry.offer(tarball(entriesOf(curious("Object.keys(process.env).length === 0 ? 1 : 0"))));
    expect(await install(hostile.host, packageOf(honest))).toMatchObject({ state: "unsatisfied" });
    await hostile.host.as("admin").post("/api/plugins/uninstall", { name: "sly", purge: true });
    await hostile.expectNothing();
  });
});
