import { isLongboxError } from "@longbox/sdk";
import type { AuditTrail } from "../audit.js";
import { systemActor } from "../audit.js";
import { FaultBudget, logFault, type FaultLimit } from "./faults.js";
import type { Fleet } from "../installed/fleet.js";
import type { Member } from "../installed/member.js";
import type { HostParts } from "../host-parts.js";
import { currentCause } from "./request-cause.js";
import type { Inventory } from "../installed/inventory.js";
import type { Turns } from "../turns.js";
import type { Versions } from "../installed/versions.js";

export interface ConductParts {
  readonly parts: HostParts;
  readonly fleet: Fleet;
  readonly inventory: Inventory;
  readonly versions: Versions;
  readonly audit: AuditTrail;
  readonly turns: Turns;
  readonly faultLimit: FaultLimit;
}

const afterTheEnd: ReadonlySet<string> = new Set(["kernel/plugin-stopped", "kernel/storage-closed"]);
const isRefusedAfterTheEnd = (fault: unknown) => isLongboxError(fault) && afterTheEnd.has(fault.code);

/** Counts what plugins do wrong, and switches off those that do too much of it. */
export class Conduct {
  readonly faults: FaultBudget;
  readonly #conduct: ConductParts;

  constructor(conduct: ConductParts) {
    this.#conduct = conduct;
    this.faults = new FaultBudget(conduct.faultLimit);
  }

  /**
   * A plugin did something wrong. Too much of it, and it is switched off, or a new version gives way to the one before.
   * What a request caused is that request's error first: see {@link FaultBudget}.
   */
  report(plugin: string, fault: unknown, where: string): void {
    const { fleet, parts, turns } = this.#conduct;
    logFault(parts.logger(plugin), fault, where);
    // A start that fails is told by the plugin's state.
    // What a stopped plugin still tries is refused, and harms nobody.
    if (isRefusedAfterTheEnd(fault)) return;
    if (!fleet.members.has(plugin) || where === "activate" || !this.faults.add(plugin, currentCause())) return;
    this.faults.forgive(plugin);
    const reason = `Too many faults; the last was in ${where}: ${fault instanceof Error ? fault.message : String(fault)}`;
    void turns.take(() => this.#act(plugin, reason));
  }

  /** Marks a plugin as not to be run, until an admin switches it on again. */
  async quarantine(member: Member, reason: string): Promise<void> {
    const { audit, inventory } = this.#conduct;
    const { id, version } = member.plugin;
    await inventory.update(id, (entry) => ({ ...entry, quarantine: { reason, at: new Date().toISOString() } }));
    member.blocked = { state: "quarantined", reason };
    await audit.record({ action: "quarantine", plugin: id, version, by: systemActor, reason });
  }

  async #act(id: string, reason: string): Promise<void> {
    const { fleet, versions } = this.#conduct;
    const member = fleet.members.get(id);
    if (!member?.enabled || member.blocked) return;
    if (versions.onProbation(id) && (await this.#goBack(member))) return;
    await this.quarantine(member, reason);
    await fleet.reconcile();
  }

  async #goBack(member: Member): Promise<boolean> {
    const { audit, parts, versions } = this.#conduct;
    const { id } = member.plugin;
    try {
      const dataReason = await versions.rollBack(member);
      await audit.record({
        action: "rollback",
        plugin: id,
        version: member.plugin.version,
        by: systemActor,
        reason: ["The new version did not stay up.", dataReason].filter(Boolean).join(" "),
      });
      return true;
    } catch (failure) {
      parts.logger("plugins").error(`"${id}" cannot go back to the version before.`, { failure: String(failure) });
      return false;
    }
  }
}
