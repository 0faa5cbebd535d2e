import { statfs } from "node:fs/promises";
import {
  KernelBackups,
  KernelHousekeeping,
  KernelInspection,
  KernelLogs,
  KernelPlugins,
  KernelTraces,
  KernelUsers,
  type KernelBackupsContract,
  type KernelHousekeepingContract,
  type KernelInspectionContract,
} from "@longbox/sdk";
import { BackupExchange, Backups } from "./backup/index.js";
import { Access } from "./access/access.js";
import { ServerSettingsSource } from "./access/server-settings.js";
import { publicAddress } from "./http/receiving/base-path.js";
import type { Parts } from "./injection.js";
import { BasePath, DataFolder } from "./kernel-tokens.js";
import { Stores } from "./kernel-stores.js";
import { ServerLog } from "./logging/server-log.js";
import { Traces } from "./measuring/traces.js";
import { PluginHost } from "./plugins/plugin-host.js";
import { Catalog } from "./plugins/packages/catalog.js";
import { pluginsContract } from "./plugins/plugins-contract.js";
import { RegistryClient } from "./plugins/packages/registry-client.js";
import { kernelVersion } from "./versions.js";

/** Gives plugins what the kernel tells of itself: its state, its log, and traces of requests. */
export function provideInspection(kernel: Parts): void {
  const host = kernel.get(PluginHost);
  host.provideFromKernel(KernelInspection.id, KernelInspection.version, inspect(kernel));
  host.provideFromKernel(KernelHousekeeping.id, KernelHousekeeping.version, {
    tidyCaches: (unusedDays: number) =>
      kernel.get(Stores).storing.tidyCaches(new Date(Date.now() - unusedDays * 86_400_000)),
  } satisfies KernelHousekeepingContract);
  const backups = kernel.get(Backups);
  const exchange = kernel.get(BackupExchange);
  host.provideFromKernel(KernelBackups.id, KernelBackups.version, {
    create: () => backups.create(),
    list: () => backups.list(),
    check: (name) => backups.check(name),
    read: (name, sealing) => exchange.read(name, sealing),
    checkContent: (content, sealing) => exchange.check(content, sealing),
    take: (content, sealing) => exchange.take(content, sealing),
  } satisfies KernelBackupsContract);
  host.provideFromKernel(KernelPlugins.id, KernelPlugins.version, pluginsContract(host, kernel.get(Catalog)));
  host.provideFromKernel(KernelUsers.id, KernelUsers.version, kernel.get(Access).directory);
  host.provideFromKernel(KernelLogs.id, KernelLogs.version, kernel.get(ServerLog).ring);
  const traces = kernel.get(Traces);
  host.provideFromKernel(KernelTraces.id, KernelTraces.version, {
    onSpans: (listener, options) => traces.onSpans(listener, options),
  } satisfies KernelTraces);
}

function inspect(kernel: Parts): KernelInspectionContract {
  const dataFolder = kernel.get(DataFolder);
  const registry = kernel.get(RegistryClient);
  return {
    async runtime() {
      const { bavail, blocks, bsize } = await statfs(dataFolder);
      return {
        version: kernelVersion,
        node: process.version,
        platform: `${process.platform} ${process.arch}`,
        uptimeSeconds: Math.round(process.uptime()),
        residentBytes: process.memoryUsage.rss(),
        dataFolder,
        disk: { freeBytes: bavail * bsize, sizeBytes: blocks * bsize },
        unstoredSessions: kernel.get(Access).sessions.unstored,
      };
    },
    publicUrl: async () => publicAddress(kernel.get(ServerSettingsSource).current.publicUrl, kernel.get(BasePath)),
    usage: () => kernel.get(Stores).storing.usage(),
    settings: async () => kernel.get(Stores).settings.read(),
    withoutSecrets: async (value) => kernel.get(Stores).settings.withoutSecrets(value),
    plugins: async () => kernel.get(PluginHost).rows(),
    inEachLanguage: (said) => kernel.get(PluginHost).inEachLanguage(said),
    registry: async () => ({ url: registry.url, reachable: await registry.reachable() }),
  };
}
