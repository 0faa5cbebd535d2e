import { Conflict, type PluginDefinition, type Releasable } from "@longbox/sdk";
import { manifestSchema, type ManifestInput } from "@longbox/sdk/manifest";
import semver from "semver";
import { AuditTrail, type AuditEntry, type Requester } from "./audit.js";
import { Capabilities } from "./contracts/capabilities.js";
import { clientParts, type ClientPart } from "./client-parts.js";
import type { FormerEnds } from "../supervisor/repeated-ends.js";
import { Conduct } from "./containment/fault-policy.js";
import { FaultReports } from "./containment/fault-reports.js";
import { logFault } from "./containment/faults.js";
import { Fleet, PluginNotFound } from "./installed/fleet.js";
import { asksInWords, type Introduction } from "./consent/introduction.js";
import type { Member } from "./installed/member.js";
import { mistakeOf } from "./examining/started.js";
import { HostParts } from "./host-parts.js";
import { Inventory } from "./installed/inventory.js";
import { withoutKey, type LockEntry } from "./installed/lock-file.js";
import { isPluginId, type PluginOnDisk } from "./packages/plugin-package.js";
import { checkAgainst, requiredBy } from "./installed/policy.js";
import { type PreparedPlugin } from "./packages/preparing.js";
import { expectRow, Orderly } from "./orderly.js";
import { readDocuments, type PluginDocuments } from "./plugin-documents.js";
import { PluginRows } from "./plugin-rows.js";
import type { PluginRow } from "./rows.js";
import { Surroundings } from "./running/surroundings.js";
import { PluginStore } from "./packages/store.js";
import { PendingOperations, type PendingOperation } from "./pending-operations.js";
import { Switching } from "./installed/switching.js";
import { Turns } from "./turns.js";
import { Versions } from "./installed/versions.js";
import { InstallRequests, type DefaultPlugin, type InstallRequest } from "./packages/install-requests.js";
import { inject, injectable } from "../injection.js";

/** The operations on plugins. They are serialised. */
@injectable()
export class PluginHost {
  constructor(
    @inject(Surroundings) private readonly surroundings: Surroundings,
    @inject(HostParts) private readonly parts: HostParts,
    @inject(Capabilities) readonly capabilities: Capabilities,
    @inject(Fleet) readonly fleet: Fleet,
    @inject(Inventory) private readonly inventory: Inventory,
    @inject(Switching) private readonly switching: Switching,
    @inject(Versions) private readonly versions: Versions,
    @inject(Conduct) private readonly conduct: Conduct,
    @inject(InstallRequests) private readonly requests: InstallRequests,
    @inject(Turns) private readonly turns: Turns,
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(AuditTrail) private readonly audit: AuditTrail,
    @inject(FaultReports) faults: FaultReports,
    @inject(PendingOperations) private readonly operations: PendingOperations,
    @inject(Orderly) private readonly orderly: Orderly,
    @inject(PluginRows) private readonly pluginRows: PluginRows,
  ) {
    faults.deliverTo((plugin, fault, where) => this.reportFault(plugin, fault, where));
    fleet.onChanged(() => this.#announce());
    fleet.onConfigured((id) => void turns.take(() => fleet.retryConfigured(id)));
    fleet.onSettling(async (member, definition) => {
      const { running: started, setAside } = await switching.settle(member.plugin, definition);
      member.settling = false;
      await inventory.settled(member.plugin.id, { migrated: started.migrated, setAside });
      if (setAside !== undefined)
        parts
          .logger("plugins")
          .warn(
            `"${member.plugin.id}" ${member.plugin.version} cannot read the data of a newer version, and has that from before the upgrade. What was written since is kept in ${setAside}.`,
          );
      return started;
    });
  }

  /** Provides a contract of the kernel to plugins. */
  provideFromKernel(id: string, version: string, implementation: object): void {
    this.fleet.kernelProvides.set(id, version);
    this.capabilities.provide({ id: "kernel" }, { capability: id, version, implementation });
  }

  /**
   * Reads what is installed, finishes what was interrupted, and starts what can run.
   * @param before - how the runs before this one ended, if not in order
   */
  start({ blocked, heldBack = [] }: FormerEnds = {}): Promise<void> {
    return this.turns.take(async () => {
      await this.inventory.open();
      const culprit = blocked && this.fleet.members.get(blocked.plugin);
      if (culprit) await this.conduct.blame(culprit, blocked);
      await this.conduct.holdBack(heldBack);
      await this.fleet.reconcile();
    });
  }

  /** Adds a plugin that lies outside of the store: a folder under development, or a definition of a test. */
  link(plugin: PluginOnDisk, definition?: PluginDefinition): void {
    this.inventory.link(plugin, definition);
  }

  /** A definition without a package, for tests. */
  linkDefinition(manifest: ManifestInput, definition: PluginDefinition, keywords: readonly string[] = []): void {
    const parsed = manifestSchema.parse(manifest);
    this.link(
      {
        id: parsed.id,
        package: `test-${parsed.id}`,
        version: "1.0.0",
        manifest: parsed,
        keywords,
        folder: "/",
        hash: "test",
        linked: true,
        entry: ".",
      },
      definition,
    );
  }

  /** Stops every plugin; the lock file stays as it is. */
  async stop(): Promise<void> {
    this.surroundings.stop();
    await this.turns.quiet();
    await this.turns.take(() => this.fleet.stopAll());
    await this.switching.endRetired();
  }

  row(name: string): PluginRow {
    return this.pluginRows.of(this.inventory.member(name));
  }

  documents(name: string): Promise<PluginDocuments> {
    return readDocuments(this.inventory.member(name).plugin.folder);
  }

  rows(): PluginRow[] {
    return [...this.fleet.members.values()]
      .map((member) => this.pluginRows.of(member))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  client(): ClientPart[] {
    return clientParts(this.fleet.members.values());
  }

  /** Settles once every operation that has been asked for has ended. */
  quiet(): Promise<void> {
    return this.turns.quiet();
  }

  /** Switches a plugin on or off, at once and for the future. */
  async setEnabled(name: string, enabled: boolean, by: Requester): Promise<PluginRow> {
    if (!enabled) this.surroundings.giveUpStart(this.inventory.member(name).plugin.id);
    return this.orderly.operate({ action: enabled ? "enable" : "disable", plugin: name, by }, async () => {
      const member = await this.orderly.settled(name);
      expectRow(member && this.pluginRows.of(member), by);
      const { id } = member.plugin;
      await this.inventory.update(id, (entry) => withoutKey({ ...entry, enabled }, "quarantine"));
      member.enabled = enabled;
      member.blocked = undefined;
      await this.conduct.forgive(id);
      await this.fleet.reconcile();
      return this.#done(member, { action: enabled ? "enable" : "disable", by });
    });
  }

  /** Installs a package, or brings an installed one to another version. Takes effect at once. */
  async install(request: InstallRequest, by: Requester): Promise<PluginRow> {
    const { name: plugin, version } = request;
    return this.operations.follow({ action: "install", plugin, version, by }, async (operating) => {
      for (;;) {
        operating.now("preparing");
        const prepared = await this.#prepared(request, operating.signal);
        operating.now("waiting", prepared.plugin.id);
        const row = await this.orderly.inTurn(operating, async () => {
          // The package may have been removed while this waited for its turn; then it is fetched again.
          if (!(await this.store.has(prepared.kept.folder))) return undefined;
          const present = this.fleet.members.get(prepared.plugin.id);
          expectRow(present && this.pluginRows.of(present), by);
          const reason = asksInWords(prepared.introduction);
          const taken = await this.#done(await this.#take(prepared, "admin"), { action: "install", by, ...reason });
          return prepared.warnings.length === 0 ? taken : { ...taken, warnings: [...prepared.warnings] };
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

  /** The operations that have not ended. */
  pending(): PendingOperation[] {
    return this.operations.list();
  }

  /** @throws {NotFound} `kernel/operation-not-found` */
  cancel(operation: number): void {
    this.operations.cancel(operation);
  }

  /** What an administrator should know before the installation of a package. */
  introduce(request: InstallRequest): Promise<Introduction> {
    return this.requests.introduce(request, this.surroundings.stopping);
  }

  /** Goes back to the version that ran before the last upgrade, or to another one that is kept. */
  rollback(
    { name, to }: { readonly name: string; readonly to?: string | undefined },
    by: Requester,
  ): Promise<PluginRow> {
    return this.orderly.operate({ action: "rollback", plugin: name, version: to, by }, async () => {
      const member = await this.orderly.settled(name);
      expectRow(member && this.pluginRows.of(member), by);
      const reason = await this.versions.rollBack(member, to);
      await this.conduct.forgive(member.plugin.id);
      return this.#done(member, { action: "rollback", by, ...(reason === undefined ? {} : { reason }) });
    });
  }

  /** Removes a plugin; its data stays unless `purge`. @throws {Conflict} `kernel/required-by-others` */
  async uninstall(request: { readonly name: string; readonly purge: boolean }, by: Requester): Promise<void> {
    const named = this.inventory.idOf(request.name);
    if (requiredBy(this.fleet, named).length === 0) this.surroundings.giveUpStart(named);
    return this.orderly.operate({ action: "uninstall", plugin: request.name, by }, async () => {
      const id = this.inventory.idOf(request.name);
      const member = this.fleet.members.has(id) ? await this.orderly.settled(id) : undefined;
      if (!member && !(request.purge && (await this.#isKept(id)))) throw new PluginNotFound(request.name);
      expectRow(member && this.pluginRows.of(member), by);
      const needing = requiredBy(this.fleet, id);
      if (needing.length > 0)
        throw new Conflict("kernel/required-by-others", `"${id}" is needed by ${needing.join(", ")}.`, {
          requiredBy: needing,
        });
      if (member) member.enabled = false;
      await this.fleet.reconcile();
      await this.inventory.drop(id, request);
      await this.conduct.forget(id);
      await this.fleet.reconcile();
      await this.audit.record({
        action: request.purge ? "purge" : "uninstall",
        plugin: id,
        version: member?.plugin.version,
        by,
      });
    });
  }

  /** Installs or upgrades the default plugins. A plugin that an admin removed is not installed again. */
  async installDefaults(defaults: readonly DefaultPlugin[]): Promise<void> {
    const missing = defaults.filter((plugin) => this.inventory.wants(plugin, semver.lt));
    const prepared = await this.requests.prepareDefaults(missing, this.surroundings.stopping);
    await this.turns.take(async () => {
      for (const one of prepared) {
        await this.#put(one, "default").catch((failure: unknown) => {
          this.parts
            .logger("plugins")
            .error(`The default plugin "${one.plugin.package}" cannot be installed.`, { failure: String(failure) });
        });
      }
      // All at once, so that none waits for the start of another that it does not need.
      await this.fleet.reconcile();
    });
  }

  /** Whether plugins are being started, so that what is missing now may be there soon. */
  get starting(): boolean {
    return this.fleet.starting;
  }

  /** Reports a fault of a plugin to the fault policy. */
  reportFault(plugin: string, fault: unknown, where: string): void {
    if (this.surroundings.stopping.aborted) logFault(this.parts.logger(plugin), fault, where);
    else this.conduct.report(plugin, fault, where);
  }

  async #take(prepared: PreparedPlugin, origin: LockEntry["origin"]): Promise<Member> {
    const { id } = prepared.plugin;
    const isNew = !this.fleet.members.has(id);
    const hadData = await this.#isKept(id);
    const member = await this.#put(prepared, origin);
    await this.fleet.reconcile();
    const mistake = isNew ? mistakeOf(member) : undefined;
    if (mistake === undefined) return member;
    member.enabled = false;
    await this.fleet.reconcile();
    await this.inventory.drop(id, { purge: !hadData });
    await this.conduct.forget(id);
    await this.fleet.reconcile();
    throw mistake;
  }

  /** Adds a prepared package: as a new plugin, which is started later, or as another version of an installed one. */
  async #put({ plugin, kept, introduction }: PreparedPlugin, origin: LockEntry["origin"]): Promise<Member> {
    if (this.fleet.members.has(plugin.id)) await this.orderly.settled(plugin.id);
    checkAgainst(this.fleet, plugin, this.inventory.owners);
    const present = this.fleet.members.get(plugin.id);
    const publishedBy = this.inventory.publishedByOf(plugin.package, introduction);
    if (present && !present.plugin.linked) {
      const same = present.plugin.version === plugin.version && present.plugin.hash === plugin.hash;
      await this.inventory.claim(plugin, publishedBy);
      if (!same) await this.versions.switchTo(present, plugin, kept);
      await this.conduct.forgive(plugin.id);
      return present;
    }
    return this.inventory.add(plugin, kept, { origin, publishedBy });
  }

  /** Whether data of a removed plugin is kept. */
  async #isKept(id: string): Promise<boolean> {
    if (!isPluginId(id)) return false;
    return this.inventory.packageOf(id) !== undefined || (await this.parts.storage.exists(id));
  }

  async #done(member: Member, entry: Pick<AuditEntry, "action" | "by" | "reason">): Promise<PluginRow> {
    const { id, version } = member.plugin;
    await this.audit.record({ ...entry, plugin: id, version });
    return this.pluginRows.of(member);
  }

  /** Called after every change of the installed or running plugins. */
  onChanged(listener: () => void): Releasable {
    return this.fleet.onChanged(listener);
  }

  #announce(): void {
    if (this.surroundings.stopping.aborted) return;
    this.parts.events.changed("plugins");
  }
}
