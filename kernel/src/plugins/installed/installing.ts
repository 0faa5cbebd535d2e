import semver from "semver";
import { inject, injectable } from "../../injection.js";
import { AuditTrail, type AuditEntry, type Requester } from "../audit.js";
import { asksInWords, type Introduction } from "../consent/introduction.js";
import { FaultPolicy } from "../containment/fault-policy.js";
import { mistakeOf, warningsOf } from "../examining/started.js";
import { expectRow, Orderly } from "../orderly.js";
import { InstallRequests, type DefaultPlugin, type InstallRequest } from "../packages/install-requests.js";
import type { PreparedPlugin } from "../packages/preparing.js";
import { PluginStore } from "../packages/store.js";
import { PendingOperations } from "../pending-operations.js";
import { PluginRows } from "../plugin-rows.js";
import type { PluginRow } from "../rows.js";
import { Surroundings } from "../running/surroundings.js";
import { Turns } from "../turns.js";
import { Fleet } from "./fleet.js";
import { Inventory } from "./inventory.js";
import type { LockEntry } from "./lock-file.js";
import type { Member } from "./member.js";
import { checkAgainst } from "./policy.js";
import { Versions } from "./versions.js";

/**
 * Installs packages, and brings installed ones to other versions: what an administrator requests, and the default
 * plugins.
 */
@injectable()
export class Installing {
  constructor(
    @inject(Surroundings) private readonly surroundings: Surroundings,
    @inject(Fleet) private readonly fleet: Fleet,
    @inject(Inventory) private readonly inventory: Inventory,
    @inject(Versions) private readonly versions: Versions,
    @inject(FaultPolicy) private readonly faultPolicy: FaultPolicy,
    @inject(InstallRequests) private readonly requests: InstallRequests,
    @inject(Turns) private readonly turns: Turns,
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(AuditTrail) private readonly audit: AuditTrail,
    @inject(PendingOperations) private readonly operations: PendingOperations,
    @inject(Orderly) private readonly orderly: Orderly,
    @inject(PluginRows) private readonly pluginRows: PluginRows,
  ) {}

  /** Installs a package, or brings an installed one to another version. Takes effect at once. */
  async install(request: InstallRequest, by: Requester): Promise<PluginRow> {
    const { name: plugin, version } = request;
    return this.operations.follow({ action: "install", plugin, version, by }, async (operating) => {
      for (;;) {
        operating.now("preparing");
        const prepared = await this.#prepared(request, operating.signal);
        operating.now("waiting", prepared.plugin.id);
        const row = await this.orderly.inTurn(operating, async (settled) => {
          await settled(prepared.plugin.id);
          // The package may have been removed while this waited for its turn; then it is fetched again.
          if (!(await this.store.has(prepared.kept.folder))) return undefined;
          const present = this.fleet.members.get(prepared.plugin.id);
          expectRow(present && this.pluginRows.of(present), by);
          const reason = asksInWords(prepared.introduction);
          const member = await this.#take(prepared, "admin");
          const taken = await this.#recorded(member, { by, ...reason });
          const warnings = [...prepared.warnings, ...warningsOf(member)];
          return warnings.length === 0 ? taken : { ...taken, warnings };
        });
        if (row) return row;
      }
    });
  }

  /** When the operation is cancelled, the work goes on in the background and comes to nothing. */
  #prepared(request: InstallRequest, signal: AbortSignal): Promise<PreparedPlugin> {
    const preparing = this.requests.prepare(request, AbortSignal.any([this.surroundings.stopping, signal]));
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      preparing.then(resolve, reject);
    });
  }

  /** What an administrator should know before the installation of a package. */
  introduce(request: InstallRequest): Promise<Introduction> {
    return this.requests.introduce(request, this.surroundings.stopping);
  }

  /**
   * Installs or upgrades the default plugins. A plugin that an admin removed is not installed again.
   * @returns how many were
   */
  async installDefaults(defaults: readonly DefaultPlugin[]): Promise<number> {
    let installed = 0;
    const missing = defaults.filter((plugin) => this.inventory.wants(plugin, semver.lt));
    const prepared = await this.requests.prepareDefaults(missing, this.surroundings.stopping);
    await this.turns.take(async () => {
      for (const one of prepared) {
        await this.orderly.notStarting(one.plugin.id);
        try {
          await this.#put(one, "default");
          installed += 1;
        } catch (failure) {
          this.surroundings.parts
            .logger("plugins")
            .error(`The default plugin "${one.plugin.package}" cannot be installed.`, { failure: String(failure) });
        }
      }
      // All at once, so that none waits for the start of another that it does not need.
      await this.fleet.reconcile();
    });
    return installed;
  }

  async #take(prepared: PreparedPlugin, origin: LockEntry["origin"]): Promise<Member> {
    const { id } = prepared.plugin;
    const isNew = !this.fleet.members.has(id);
    const hadData = await this.inventory.isKept(id);
    const member = await this.#put(prepared, origin);
    await this.fleet.reconcile();
    const mistake = isNew ? await mistakeOf(member) : undefined;
    if (mistake === undefined) return member;
    member.enabled = false;
    await this.fleet.reconcile();
    await this.inventory.drop(id, { purge: !hadData });
    await this.faultPolicy.forget(id);
    await this.fleet.reconcile();
    throw mistake;
  }

  /** Adds a prepared package: as a new plugin, which is started later, or as another version of an installed one. */
  async #put({ plugin, kept, introduction }: PreparedPlugin, origin: LockEntry["origin"]): Promise<Member> {
    checkAgainst(this.fleet, plugin, this.inventory.owners);
    const present = this.fleet.members.get(plugin.id);
    const from = this.inventory.originOf(plugin.package, introduction);
    if (present && !present.plugin.linked) {
      const same = present.plugin.version === plugin.version && present.plugin.hash === plugin.hash;
      await this.inventory.claim(plugin, from);
      if (!same) await this.versions.switchTo(present, plugin, kept);
      await this.faultPolicy.forgive(plugin.id);
      return present;
    }
    return this.inventory.add(plugin, kept, { origin, ...from });
  }

  async #recorded(member: Member, entry: Pick<AuditEntry, "by" | "reason">): Promise<PluginRow> {
    const { id, version } = member.plugin;
    await this.audit.record({ ...entry, action: "install", plugin: id, version });
    return this.pluginRows.of(member);
  }
}
