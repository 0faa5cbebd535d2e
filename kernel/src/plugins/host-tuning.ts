import { token } from "../injection.js";
import type { FaultLimit } from "./containment/faults.js";
import type { FenceKind } from "./isolated/fence/fence.js";
import type { ProcessLimits } from "./isolated/fence/isolated-process.js";
import type { PackageLimits } from "./packages/package-limits.js";
import type { RunningLimits } from "./running/running-limits.js";

/** Which plugins run in processes of their own, where it is not decided as usual. */
export interface IsolationTuning {
  /** Ids of plugins that do, whatever they are. */
  readonly isolated?: readonly string[];
  /** Whether packages of other publishers do; by default, the setting `server.isolatedGuests` decides. */
  readonly isolatesGuests?: boolean | undefined;
  /** Default: the best one that the machine allows. */
  readonly fence?: FenceKind;
  readonly limits?: Partial<ProcessLimits>;
  /**
   * How long a process that ended is waited with before it is started again: the first time, the second … and all later
   * times.
   */
  readonly restartMs?: readonly number[];
}

/** Limits that tests make small. */
export interface PluginHostTuning {
  readonly limits?: Partial<RunningLimits>;
  readonly faultLimit?: FaultLimit;
  /** How long a new version is on probation: faults in this time roll it back. */
  readonly probationMs?: number;
  /** How long an operation on plugins waits for earlier ones. */
  readonly turnMs?: number;
  readonly packages?: Partial<PackageLimits>;
  readonly isolation?: IsolationTuning;
}
export const PluginHostTuning = token<PluginHostTuning>("limits of the plugin host");
