import type { KernelInspectionContract, KernelLogs } from "@longbox/sdk";
import type { HealthCheck, HealthFinding, SupportPart } from "../contract.js";
import { sentence } from "../tools/sentence.js";
import { sizeOf } from "../tools/sizes.js";

/** Below this share, or this many bytes, of free space the disk counts as nearly full. */
const lowShare = 0.05;
const lowBytes = 1_000_000_000;
/** The newest lines of the log that go into a support package. */
const packedLines = 2_000;

/** The kernel's documents of the support package. */
export function kernelSupportParts(kernel: KernelInspectionContract, logs: KernelLogs): SupportPart[] {
  return [
    {
      name: "version",
      full: false,
      read: async () => ({ version: (await kernel.runtime()).version, made: new Date().toISOString() }),
    },
    { name: "runtime", full: false, read: () => kernel.runtime() },
    { name: "plugins", full: false, read: () => kernel.plugins() },
    { name: "logs", full: true, read: async () => (await logs.list({ limit: packedLines })).lines },
    { name: "settings", full: true, read: () => kernel.settings() },
  ];
}

/** What can be wrong with the kernel: its disk, its registry, its plugins. */
export function kernelChecks(kernel: KernelInspectionContract): HealthCheck {
  return { check: async () => [await disk(kernel), await registry(kernel), ...(await plugins(kernel))] };
}

async function disk(kernel: KernelInspectionContract): Promise<HealthFinding> {
  const {
    dataFolder,
    disk: { freeBytes, sizeBytes },
    unstoredSessions,
  } = await kernel.runtime();
  const low = freeBytes < lowBytes && freeBytes < sizeBytes * lowShare;
  const free = `${sizeOf(freeBytes)} are free where ${dataFolder} is`;
  const largest = low ? (await kernel.usage()).slice(0, 4) : [];
  const advice = [
    low ? `Only ${free}: make room, or move the data folder.` : `${free}.`,
    ...(largest.length > 0 ? [`The largest: ${largest.map(named).join(", ")}.`] : []),
    ...(unstoredSessions > 0
      ? [`${unstoredSessions} sessions could not be stored; these people sign in again after the next restart.`]
      : []),
  ];
  return {
    id: "kernel.disk",
    title: "Disk space",
    level: low ? "error" : unstoredSessions > 0 ? "warning" : "ok",
    advice: advice.join(" "),
  };
}

const named = ({ name, sizeBytes }: { readonly name: string; readonly sizeBytes: number }) =>
  `${name} (${sizeOf(sizeBytes)})`;

async function registry(kernel: KernelInspectionContract): Promise<HealthFinding> {
  const { url, reachable } = await kernel.registry();
  const advice = reachable
    ? `It answers at ${url}.`
    : `It does not answer at ${url}: plugins run on, but none can be installed or upgraded. Start it, or set LONGBOX_REGISTRY.`;
  return { id: "kernel.registry", title: "Plugin registry", level: reachable ? "ok" : "warning", advice };
}

async function plugins(kernel: KernelInspectionContract): Promise<HealthFinding[]> {
  const troubled = (await kernel.plugins()).filter(
    ({ state, faults }) => state === "failed" || state === "quarantined" || state === "unsatisfied" || faults > 0,
  );
  if (troubled.length === 0)
    return [{ id: "kernel.plugins", title: "Plugins", level: "ok", advice: "All of them run without faults." }];
  return troubled.map(({ name, state, reason, faults }) => ({
    id: `kernel.plugins.${name}`,
    title: `Plugin ${name}`,
    level: state === "active" ? "warning" : "error",
    link: { label: "Open the plugins", path: "/plugins" },
    advice:
      state === "active"
        ? `It has failed ${faults} times since it started: look at the log, and roll it back if this goes on.`
        : `${sentence(`It is ${state}${reason ? `: ${reason}` : ""}`)} Look at the plugins page.`,
  }));
}
