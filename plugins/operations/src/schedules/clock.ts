import type { Fetch, KernelInspectionContract } from "@longbox/sdk";
import type { HealthCheck } from "../contract.js";

/** Clock differences below this are harmless. */
const toleratedMs = 5 * 60_000;
/** This code was written after it: a clock that says otherwise was never set. */
const writtenMs = Date.UTC(2026, 0, 1);
const askLimitMs = 3_000;

export interface ClockWitnesses {
  readonly kernel: Pick<KernelInspectionContract, "registry">;
  readonly fetcher: Fetch;
  /** The newest time that this server wrote down, as ISO 8601. */
  newestKept(): Promise<string | undefined>;
}

/**
 * Whether the clock can be right: sign-ins, schedules and certificates fail when it is not. It is held against what was
 * written down, and against the registry's clock.
 */
export function clockCheck(witnesses: ClockWitnesses): HealthCheck {
  return {
    async check() {
      const now = new Date();
      const doubt = await doubtAbout(now, witnesses);
      return [
        {
          id: "kernel.clock",
          title: "Clock",
          level: doubt === undefined ? "ok" : "error",
          advice:
            doubt === undefined
              ? "It agrees with everything that can be compared."
              : `It says ${now.toISOString()}, ${doubt}: set it, best by a time service.`,
        },
      ];
    },
  };
}

async function doubtAbout(now: Date, { kernel, fetcher, newestKept }: ClockWitnesses): Promise<string | undefined> {
  if (now.getTime() < writtenMs) return "which cannot be";
  const kept = await newestKept();
  if (kept !== undefined && Date.parse(kept) - now.getTime() > toleratedMs)
    return `but something was done at ${kept} already`;
  const other = await timeAt((await kernel.registry()).url, fetcher);
  if (other !== undefined && Math.abs(other - now.getTime()) > toleratedMs)
    return `but at the plugin registry it is ${new Date(other).toISOString()}`;
  return undefined;
}

/** undefined when there is no answer, or when it has no date. */
async function timeAt(url: string, fetcher: Fetch): Promise<number | undefined> {
  try {
    const answer = await fetcher(url, { method: "HEAD", timeoutMs: askLimitMs });
    const time = Date.parse(answer.headers.get("date") ?? "");
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}
