import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { definePlugin, type KernelInspectionContract } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { backupCheck } from "../src/tools/backups.js";
import { clockCheck } from "../src/schedules/clock.js";
import { HealthChecks, type HealthFinding } from "../src/contract.js";
import { kernelChecks } from "../src/health/kernel-parts.js";

type Runtime = Awaited<ReturnType<KernelInspectionContract["runtime"]>>;

/** What a kernel tells of itself, with what is the matter with it. */
function kernelWith(
  trouble: {
    freeBytes?: number;
    unstoredSessions?: number;
    reachable?: boolean;
    url?: string;
    plugins?: Awaited<ReturnType<KernelInspectionContract["plugins"]>>;
  } = {},
): KernelInspectionContract {
  const {
    freeBytes = 50e9,
    unstoredSessions = 0,
    reachable = true,
    url = "http://127.0.0.1:9/",
    plugins = [],
  } = trouble;
  const runtime: Runtime = {
    version: "1.0.0",
    node: "v24",
    platform: "linux",
    uptimeSeconds: 1,
    residentBytes: 1,
    dataFolder: "/data",
    disk: { freeBytes, sizeBytes: 100e9 },
    unstoredSessions,
  };
  return {
    runtime: async () => runtime,
    usage: async () => [
      { name: "backups", sizeBytes: 3e9 },
      { name: "cache of reader", sizeBytes: 1e9 },
    ],
    settings: async () => ({}),
    withoutSecrets: async (value) => value,
    plugins: async () => plugins,
    registry: async () => ({ url, reachable }),
    publicUrl: async () => "",
    inEachLanguage: async ({ text }) => ({ en: text }),
  };
}

/** A server whose clock is off by so much. */
async function startRegistry(offByMs: number): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_, response) =>
    response.writeHead(200, { date: new Date(Date.now() + offByMs).toUTCString() }).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const byId = (findings: readonly HealthFinding[], id: string) => findings.find((finding) => finding.id === id);

describe("the health checks", () => {
  it("find nothing wrong with a kernel that is well", async () => {
    expect((await kernelChecks(kernelWith()).check()).map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
  });

  it("name a disk that is nearly full, a registry that is away, and plugins with faults, each with what to do", async () => {
    const plugins = [
      { name: "sound", version: "1.0.0", state: "active", faults: 0 },
      { name: "faulty", version: "1.0.0", state: "active", faults: 3 },
      { name: "broken", version: "1.0.0", state: "failed", reason: "It threw.", faults: 1 },
    ];
    const findings = await kernelChecks(kernelWith({ freeBytes: 0.4e9, reachable: false, plugins })).check();
    expect(byId(findings, "kernel.disk")).toMatchObject({
      level: "error",
      advice:
        "Only 400.0 MB are free where /data is: make room, or move the data folder. The largest: backups (3.0 GB), cache of reader (1.0 GB).",
    });
    expect(byId(findings, "kernel.registry")).toMatchObject({
      level: "warning",
      advice: expect.stringContaining("Start it, or set LONGBOX_REGISTRY."),
    });
    expect(byId(findings, "kernel.plugins.faulty")).toMatchObject({
      level: "warning",
      advice: expect.stringContaining("3 times"),
    });
    expect(byId(findings, "kernel.plugins.broken")).toMatchObject({
      level: "error",
      advice: "It is failed: It threw. Look at the plugins page.",
    });
    expect(byId(findings, "kernel.plugins.sound")).toBeUndefined();
    const [disk] = await kernelChecks(kernelWith({ unstoredSessions: 2 })).check();
    expect(disk).toMatchObject({ level: "warning", advice: expect.stringContaining("2 sessions") });
  });

  it.each([[-3_600_000], [3_600_000]])("name a clock that differs by %i ms from the registry's", async (offByMs) => {
    await using registry = await startRegistry(offByMs);
    const [finding] = await clockCheck({
      kernel: kernelWith({ url: registry.url }),
      fetcher: fetch,
      newestKept: async () => undefined,
    }).check();
    expect(finding).toMatchObject({
      level: "error",
      advice: expect.stringMatching(/but at the plugin registry it is .*: set it, best by a time service\.$/),
    });
  });

  it("trust a clock that agrees with the registry's, or when there is no other clock", async () => {
    await using registry = await startRegistry(20_000);
    for (const url of [registry.url, "http://127.0.0.1:9/"]) {
      const [finding] = await clockCheck({
        kernel: kernelWith({ url }),
        fetcher: fetch,
        newestKept: async () => new Date().toISOString(),
      }).check();
      expect(finding?.level).toBe("ok");
    }
  });

  it("name a clock that has gone back behind what was done already", async () => {
    await using host = await startTestHost({ plugins: ["operations"], storage: "sqlite" });
    await host.as("admin").post("/api/schedules/operations.tidy-caches/run");
    await expect.poll(async () => (await host.as("admin").get("/api/jobs")).body[0]?.state).toBe("done");
    await host.stop();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await host.tables("operations", (database) => database.updateTable("job").set({ queued_at: tomorrow }).execute());
    await host.restart();
    const { body } = await host.as("admin").get("/api/health/checks");
    expect(byId(body, "kernel.clock")).toMatchObject({
      level: "error",
      advice: expect.stringContaining("something was done at"),
    });
  });

  it("name a server without a backup, and one whose newest is old", async () => {
    const dayMs = 86_400_000;
    const at = (days: number) => [
      { name: "x", createdAt: new Date(Date.now() - days * dayMs).toISOString(), sizeBytes: 1 },
    ];
    const check = async (list: ReturnType<typeof at>, startedDaysAgo: number) =>
      (
        await backupCheck(
          { list: async () => list, create: async () => at(0)[0]! } as unknown as Parameters<typeof backupCheck>[0],
          Date.now() - startedDaysAgo * dayMs,
        ).check()
      )[0];
    expect(await check([], 0)).toMatchObject({ level: "ok" });
    expect(await check([], 20)).toMatchObject({
      level: "warning",
      advice: expect.stringMatching(/^There is no backup yet: make one/),
    });
    expect(await check(at(20), 30)).toMatchObject({
      level: "warning",
      advice: expect.stringMatching(/^The newest backup is 20 days old: make one/),
    });
    expect(await check(at(1), 30)).toMatchObject({ level: "ok", advice: "The newest backup is a day old." });
  });

  it("say of a check that fails that it failed, and still make the others", async () => {
    const plugin = definePlugin({
      activate(_, context) {
        context.contribute(HealthChecks, { check: () => Promise.reject(new Error("The thermometer is broken.")) });
      },
    });
    const manifest = {
      id: "nurse",
      title: "Nurse",
      description: "Checks",
      sdk: "^1.0.0",
      contributes: { healthChecks: "^1.0.0" },
    };
    await using host = await startTestHost({ plugins: ["operations", { manifest, plugin }] });
    const { body } = await host.as("admin").get("/api/health/checks");
    expect(byId(body, "nurse.check")).toMatchObject({
      level: "warning",
      advice: "They could not be made: The thermometer is broken. See the log.",
    });
    expect(byId(body, "kernel.disk")).toBeDefined();
  });
});
