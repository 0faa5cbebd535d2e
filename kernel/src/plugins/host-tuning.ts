import { token } from "../injection.js";
import type { FaultLimit } from "./containment/faults.js";
import type { PackageLimits } from "./packages/package-limits.js";
import type { RunningLimits } from "./running/running-limits.js";

/** Limits that tests make small. */
export interface PluginHostTuning {
  readonly limits?: Partial<RunningLimits>;
  readonly faultLimit?: FaultLimit;
  /** How long a new version is on probation: faults in this time roll it back. */
  readonly probationMs?: number;
  /** How long an operation on plugins waits for earlier ones. */
  readonly turnMs?: number;
  readonly packages?: Partial<PackageLimits>;
}
export const PluginHostTuning = token<PluginHostTuning>("limits of the plugin host");
