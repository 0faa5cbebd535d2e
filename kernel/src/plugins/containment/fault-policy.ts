import { isLongboxError } from "@longbox/sdk";
import { AuditTrail, systemActor } from "../audit.js";
import type { BlockedNote } from "../../supervisor/blocked-note.js";
import { Blockings } from "./blockings.js";
import { FaultBudget, logFault } from "./faults.js";
import { Fleet } from "../installed/fleet.js";
import type { Member } from "../installed/member.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import type { UnwantedEnd } from "../isolated/isolated-plugin.js";
import { currentCause, describeCause } from "./request-cause.js";
import type { HeldBack } from "../../supervisor/repeated-ends.js";
import { isHousePackage } from "../packages/package-names.js";
import { HostParts } from "../host-parts.js";
import { Inventory } from "../installed/inventory.js";
import { Turns } from "../turns.js";
import { cannotBeStored } from "../../storage/index.js";
import { Versions } from "../installed/versions.js";
import { inject, injectable } from "../../injection.js";
import { PluginHostTuning } from "../host-tuning.js";

const afterTheEnd: ReadonlySet<string> = new Set(["kernel/plugin-stopped", "kernel/storage-closed"]);
const causesNow = () => {
  const cause = currentCause();
  return cause === undefined ? [] : [cause];
};
const isRefusedAfterTheEnd = (fault: unknown) => isLongboxError(fault) && afterTheEnd.has(fault.code);

/** Counts the faults of plugins, and disables those with too many. */
@injectable()
export class FaultPolicy {
  readonly faults: FaultBudget;

  constructor(
    @inject(HostParts) private readonly parts: HostParts,
    @inject(Fleet) private readonly fleet: Fleet,
    @inject(Inventory) private readonly inventory: Inventory,
    @inject(Versions) private readonly versions: Versions,
    @inject(AuditTrail) private readonly audit: AuditTrail,
    @inject(Turns) private readonly turns: Turns,
    @inject(Blockings) private readonly blockings: Blockings,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.faults = new FaultBudget(tuning.faultLimit ?? { count: 20, withinMs: 60_000 });
  }

  /**
   * Counts a fault of a plugin. After too many it is disabled, or a new version is rolled back.
   * What a request caused is that request's error first: see {@link FaultBudget}.
   */
  report(plugin: string, fault: unknown, where: string): void {
    const { fleet, parts, turns } = this;
    logFault(parts.logger(plugin), fault, where);
    // A failed start shows in the plugin's state.
    // Calls of a stopped plugin are refused and do no harm.
    // That the disk is full or cannot be written to, or the database server is away, is no fault of a plugin.
    if (isRefusedAfterTheEnd(fault) || cannotBeStored(fault)) return;
    const accused = fleet.members.get(plugin)?.plugin;
    if (accused === undefined || where === "activate" || !this.faults.add(plugin, ...causesNow())) return;
    this.faults.forgive(plugin);
    const reason = `Too many faults; the last was in ${where}: ${fault instanceof Error ? fault.message : String(fault)}`;
    void turns.take(() => this.#act(accused, reason));
  }

  /**
   * A plugin ended the last kernel. If it hung in a request, that request is refused from now on, and the plugin
   * continues to run: it is disabled after many such requests, or when it hung without a request.
   */
  async blame(member: Member, { reason, cause }: BlockedNote): Promise<void> {
    const { audit, blockings, parts } = this;
    const { id, version } = member.plugin;
    const isTooMuch = cause === undefined || blockings.add(id, cause);
    await this.#store(id, () => blockings.save());
    if (isTooMuch) return this.quarantine(member, reason);
    this.faults.add(id);
    parts.logger(id).error("The server was started again because of a request.", { ...cause, reason });
    await this.#store(id, () => audit.record({ action: "blocked", plugin: id, version, by: systemActor, reason }));
  }

  /**
   * The process of an isolated plugin ended by itself. A request that certainly ended it is refused from now on, as one
   * is that ended the server; an end without any request behind it counts against the plugin. That of a process of
   * several plugins counts for the one whose code ended it, and for none of them where that cannot be told.
   * @returns whether it may be started again
   */
  async judgeEnd({ plugin }: Member, { fault, during, causes }: Omit<UnwantedEnd, "process">): Promise<boolean> {
    const { kind, said } = fault.end;
    this.parts.logger(plugin.id).error(fault.account, { kind, during, ...(said !== undefined && { said }) });
    // Each has a process of its own from then on, where the next end shows whose it is.
    if (fault.shared.by !== "plugin") return true;
    const [only, ...others] = causes;
    let isTooMuch = this.faults.add(plugin.id, ...causes);
    const isCertain = others.length === 0 && (kind === "own" || kind === "blocked");
    if (!only || isCertain) {
      isTooMuch = only ? this.blockings.add(plugin.id, describeCause(only)) : this.blockings.addEnd(plugin.id);
      await this.#store(plugin.id, () => this.blockings.save());
    }
    if (isTooMuch) await this.#act(plugin, `Its process ended too often. ${fault.account}`);
    return !isTooMuch;
  }

  /** Leaves plugins out of this start, after the server ended again and again. An admin can switch each on again. */
  async holdBack(plugins: HeldBack): Promise<void> {
    for (const member of this.fleet.members.values()) {
      const { id, version, package: name, linked } = member.plugin;
      const isGuest = !linked && !isHousePackage(name);
      const isMeant = typeof plugins === "string" ? plugins === "all" || isGuest : plugins.includes(id);
      if (!isMeant || !member.enabled || member.blocked) continue;
      const reason = "The server ended five times within two minutes, and was started without this plugin.";
      member.blocked = { state: "failed", reason, code: "kernel/held-back" };
      this.parts.logger(id).error(reason);
      await this.#store(id, () =>
        this.audit.record({ action: "blocked", plugin: id, version, by: systemActor, reason }),
      );
    }
  }

  /** Called when an admin has reset the plugin, or it has another version. */
  async forgive(plugin: string): Promise<void> {
    this.faults.forgive(plugin);
    await this.blockings.forgive(plugin);
  }

  async forget(plugin: string): Promise<void> {
    this.faults.forget(plugin);
    await this.blockings.forgive(plugin);
  }

  /** Marks a plugin as not to be run, until an admin switches it on again. */
  async quarantine(member: Member, reason: string): Promise<void> {
    const { audit, inventory } = this;
    const { id, version } = member.plugin;
    member.blocked = { state: "quarantined", reason };
    await this.#store(id, async () => {
      await inventory.update(id, (entry) => ({ ...entry, quarantine: { reason, at: new Date().toISOString() } }));
      await audit.record({ action: "quarantine", plugin: id, version, by: systemActor, reason });
    });
  }

  /** What is decided about a plugin holds also on a disk that is full, though only until the next start. */
  async #store(id: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      if (!cannotBeStored(failure)) throw failure;
      this.parts
        .logger(id)
        .error("What was decided about the plugin cannot be stored; it holds until the next start.", {
          failure: String(failure),
        });
    }
  }

  async #act(accused: PluginOnDisk, reason: string): Promise<void> {
    const { fleet, versions } = this;
    const member = fleet.members.get(accused.id);
    if (member?.switching) await this.turns.aside(() => member.switching!);
    // A version that was replaced meanwhile may have had more than enough faults for a second turn; the other has none.
    if (!member?.enabled || member.blocked || member.plugin !== accused) return;
    if (versions.onProbation(accused.id) && (await this.#goBack(member))) return this.faults.forgive(accused.id);
    await this.quarantine(member, reason);
    await fleet.reconcile();
  }

  async #goBack(member: Member): Promise<boolean> {
    const { audit, parts, versions } = this;
    const { id } = member.plugin;
    try {
      const dataReason = await versions.rollBack(member);
      const reason = ["The new version did not stay up.", dataReason].filter(Boolean).join(" ");
      const { version } = member.plugin;
      await this.#store(id, () => audit.record({ action: "rollback", plugin: id, version, by: systemActor, reason }));
      return true;
    } catch (failure) {
      parts.logger("plugins").error(`"${id}" cannot go back to the version before.`, { failure: String(failure) });
      return false;
    }
  }
}
