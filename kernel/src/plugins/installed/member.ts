import type { PluginDefinition, Releasable } from "@longbox/sdk";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import type { RunningPlugin } from "../running/running-plugin.js";

export type PluginState =
  | "active"
  | "disabled"
  | "unsatisfied"
  | "needs-config"
  | "failed"
  | "quarantined"
  | "upgrading";

/** Why an enabled plugin is kept from starting until an admin acts. */
export interface Blocked {
  readonly state: "failed" | "quarantined" | "needs-config";
  readonly reason: string;
  /** The code of the error behind it, and its details. */
  readonly code?: string | undefined;
  readonly details?: unknown;
}

/** One plugin that is here: what is wanted of it, and what it does. */
export interface Member {
  plugin: PluginOnDisk;
  enabled: boolean;
  /** Given by tests; otherwise imported from the package when it first starts. */
  definition: PluginDefinition | undefined;
  running: RunningPlugin | undefined;
  blocked: Blocked | undefined;
  unsatisfied: string | undefined;
  upgrading: boolean;
  /** Settles when its start has ended, well or not. */
  starting: Promise<unknown> | undefined;
  /** Settles when the version that takes over, or does not, has been decided on. */
  switching: Promise<void> | undefined;
  /** The data may still be another version's: its next start tries this one on a copy first. */
  settling: boolean;
  /** What its last run left open, and the kernel closed. */
  leftOpen: readonly string[];
  /** Keeps the settings of a plugin that waits for them open, so that they can be changed. */
  waitingForSettings: Releasable | undefined;
}

export function newMember(plugin: PluginOnDisk, enabled: boolean, definition?: PluginDefinition): Member {
  return {
    plugin,
    enabled,
    definition,
    running: undefined,
    blocked: undefined,
    unsatisfied: undefined,
    upgrading: false,
    starting: undefined,
    switching: undefined,
    settling: false,
    leftOpen: [],
    waitingForSettings: undefined,
  };
}

export function stateOf(member: Member): PluginState {
  if (member.upgrading) return "upgrading";
  if (!member.enabled) return member.blocked?.state === "quarantined" ? "quarantined" : "disabled";
  if (member.running) return member.running.isolated?.ended ? "failed" : "active";
  return member.blocked?.state ?? "unsatisfied";
}
