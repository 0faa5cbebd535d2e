import { statfs } from "node:fs/promises";
import {
  KernelBackups,
  KernelHousekeeping,
  KernelInspection,
  KernelLogs,
  KernelPlugins,
  KernelUsers,
  type KernelBackupsContract,
  type KernelHousekeepingContract,
  type KernelInspectionContract,
} from "@longbox/sdk";
import { Backups } from "./backup/index.js";
import { Kernel, type KernelParts } from "./composition.js";
import { PluginHost } from "./plugins/plugin-host.js";
import { Catalog } from "./plugins/packages/catalog.js";
import { pluginsContract } from "./plugins/plugins-contract.js";
import { RegistryClient } from "./plugins/packages/registry-client.js";
import { kernelVersion } from "./versions.js";

/** Gives plugins what the kernel tells of itself: its state, and its log. */
export function provideInspection(kernel: KernelParts): void {
  const host = kernel.resolve(PluginHost);
  host.provideFromKernel(KernelInspection.id, KernelInspection.version, inspect(kernel));
  host.provideFromKernel(KernelHousekeeping.id, KernelHousekeeping.version, {
    tidyCaches: (unusedDays: number) =>
      kernel.resolve(Kernel.Stores).storing.tidyCaches(new Date(Date.now() - unusedDays * 86_400_000)),
  } satisfies KernelHousekeepingContract);
  const backups = kernel.resolve(Backups);
  host.provideFromKernel(KernelBackups.id, KernelBackups.version, {
    create: () => backups.create(),
    list: () => backups.list(),
  } satisfies KernelBackupsContract);
  host.provideFromKernel(KernelPlugins.id, KernelPlugins.version, pluginsContract(host, kernel.resolve(Catalog)));
  host.provideFromKernel(KernelUsers.id, KernelUsers.version, kernel.resolve(Kernel.Access).directory);
  host.provideFromKernel(KernelLogs.id, KernelLogs.version, kernel.resolve(Kernel.Log).ring);
}

function inspect(kernel: KernelParts): KernelInspectionContract {
  const { dataFolder } = kernel.resolve(Kernel.Options);
  const registry = kernel.resolve(RegistryClient);
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
      };
    },
    settings: async () => kernel.resolve(Kernel.Stores).settings.read(),
    withoutSecrets: async (value) => kernel.resolve(Kernel.Stores).settings.withoutSecrets(value),
    plugins: async () => kernel.resolve(PluginHost).rows(),
    registry: async () => ({ url: registry.url, reachable: await registry.reachable() }),
  };
}
