import { Conflict, type LocalizedText, type PluginDefinition, type Releasable, type SaidText } from "@longbox/sdk";
import { manifestSchema, type ManifestInput } from "@longbox/sdk/manifest";
import { AuditTrail, type AuditEntry, type Requester } from "./audit.js";
import { Capabilities } from "./contracts/capabilities.js";
import { clientParts, type ClientPart } from "./client-parts.js";
import type { FormerEnds } from "../supervisor/repeated-ends.js";
import { FaultPolicy } from "./containment/fault-policy.js";
import { ProcessEnds } from "./containment/process-ends.js";
import { FaultReports } from "./containment/fault-reports.js";
import { logFault } from "./containment/faults.js";
import { Fleet, PluginNotFound } from "./installed/fleet.js";
import type { Introduction } from "./consent/introduction.js";
import type { Member } from "./installed/member.js";
import { Installing } from "./installed/installing.js";
import { HostParts } from "./host-parts.js";
import { Inventory } from "./installed/inventory.js";
import { withoutKey } from "./installed/lock-file.js";
import type { PluginOnDisk } from "./packages/plugin-package.js";
import { requiredBy } from "./installed/policy.js";
import { expectRow, Orderly } from "./orderly.js";
import { readDocuments, type PluginDocuments } from "./plugin-documents.js";
import { inEachLanguage, pluginTexts, type PluginTexts } from "./plugin-texts.js";
import { PluginRows } from "./plugin-rows.js";
import type { PluginRow } from "./rows.js";
import { Surroundings } from "./running/surroundings.js";
import { PendingOperations, type PendingOperation } from "./pending-operations.js";
import { inWords, Moving, type WantedIsolation } from "./installed/moving.js";
import { Switching } from "./installed/switching.js";
import { Turns } from "./turns.js";
import { Versions, type RollbackRequest } from "./installed/versions.js";
import type { DefaultPlugin, InstallRequest } from "./packages/install-requests.js";
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
    @inject(FaultPolicy) private readonly faultPolicy: FaultPolicy,
    @inject(Installing) private readonly installing: Installing,
    @inject(Turns) private readonly turns: Turns,
    @inject(AuditTrail) private readonly audit: AuditTrail,
    @inject(FaultReports) faults: FaultReports,
    @inject(PendingOperations) private readonly operations: PendingOperations,
    @inject(Orderly) private readonly orderly: Orderly,
    @inject(PluginRows) private readonly pluginRows: PluginRows,
    @inject(Moving) private readonly moving: Moving,
    // Listens by itself.
    @inject(ProcessEnds) _: ProcessEnds,
  ) {
    faults.deliverTo((plugin, fault, where) => this.reportFault(plugin, fault, where));
    fleet.onChanged(() => this.#announce());
    fleet.onUnblocked((id) => void turns.take(() => fleet.retryBlocked(id)));
    fleet.onSettling(async (member, definition) => {
      const dataOf = inventory.findEntry(member.plugin.id)?.dataOf;
      const { running: started, setAside } = await switching.settle({ plugin: member.plugin, definition }, dataOf);
      member.settling = false;
      await inventory.settled(member.plugin.id, { migrated: started.migrated, setAside });
      if (setAside !== undefined && dataOf === undefined)
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
      if (culprit) await this.faultPolicy.blame(culprit, blocked);
      await this.faultPolicy.holdBack(heldBack);
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

  /**
   * The memory of a plugin's own process, in bytes; undefined where it runs in that of the server, which cannot tell.
   */
  memoryOf(name: string): number | undefined {
    return this.inventory.member(name).running?.isolated?.memoryBytes;
  }

  client(): ClientPart[] {
    return clientParts(this.fleet.members.values());
  }

  texts(language: string): Promise<PluginTexts> {
    return pluginTexts(this.fleet.members.values(), language);
  }

  inEachLanguage(said: SaidText): Promise<LocalizedText> {
    return inEachLanguage(this.fleet.members.values(), said);
  }

  /** How many versions that are not installed any more keep their modules in memory until the server restarts. */
  countRetiredModules(): number {
    const folders = [...this.fleet.members.values()].map(({ plugin }) => plugin.folder);
    return this.surroundings.countRetiredModules(new Set(folders));
  }

  /** Settles once every operation that has been asked for has ended. */
  quiet(): Promise<void> {
    return this.turns.quiet();
  }

  /** Switches a plugin on or off, at once and for the future. */
  async setEnabled(name: string, enabled: boolean, by: Requester): Promise<PluginRow> {
    if (!enabled) this.surroundings.giveUpStart(this.inventory.member(name).plugin.id);
    return this.orderly.operate({ action: enabled ? "enable" : "disable", plugin: name, by }, async (settled) => {
      await settled(this.inventory.idOf(name));
      const member = this.inventory.member(name);
      expectRow(this.pluginRows.of(member), by);
      const { id } = member.plugin;
      await this.inventory.update(id, (entry) => withoutKey({ ...entry, enabled }, "quarantine"));
      member.enabled = enabled;
      member.blocked = undefined;
      await this.faultPolicy.forgive(id);
      await this.fleet.reconcile();
      return this.#done(member, { action: enabled ? "enable" : "disable", by });
    });
  }

  /** Decides where a plugin runs, at once and for the future. */
  async setIsolation(name: string, wanted: WantedIsolation, by: Requester): Promise<PluginRow> {
    return this.orderly.operate({ action: "isolate", plugin: name, by }, async (settled) => {
      await settled(this.inventory.idOf(name));
      const member = this.inventory.member(name);
      expectRow(this.pluginRows.of(member), by);
      await this.moving.move(member, wanted);
      return this.#done(member, { action: "isolate", by, reason: inWords(wanted) });
    });
  }

  /** Installs a package, or brings an installed one to another version. Takes effect at once. */
  install(request: InstallRequest, by: Requester): Promise<PluginRow> {
    return this.installing.install(request, by);
  }

  /** What an administrator should know before the installation of a package. */
  introduce(request: InstallRequest): Promise<Introduction> {
    return this.installing.introduce(request);
  }

  /**
   * Installs or upgrades the default plugins. A plugin that an admin removed is not installed again.
   * @returns how many were
   */
  installDefaults(defaults: readonly DefaultPlugin[]): Promise<number> {
    return this.installing.installDefaults(defaults);
  }

  /** The operations that have not ended. */
  pending(): PendingOperation[] {
    return this.operations.list();
  }

  /** @throws {NotFound} `kernel/operation-not-found` */
  cancel(operation: number): void {
    this.operations.cancel(operation);
  }

  /** Goes back to the version that ran before the last upgrade, or to another one that is kept. */
  rollback({ name, ...request }: { readonly name: string } & RollbackRequest, by: Requester): Promise<PluginRow> {
    return this.orderly.operate({ action: "rollback", plugin: name, version: request.to, by }, async (settled) => {
      await settled(this.inventory.idOf(name));
      const member = this.inventory.member(name);
      expectRow(this.pluginRows.of(member), by);
      const reason = await this.versions.rollBack(member, request);
      await this.faultPolicy.forgive(member.plugin.id);
      return this.#done(member, { action: "rollback", by, ...(reason === undefined ? {} : { reason }) });
    });
  }

  /** Removes a plugin; its data stays unless `purge`. @throws {Conflict} `kernel/required-by-others` */
  async uninstall(request: { readonly name: string; readonly purge: boolean }, by: Requester): Promise<void> {
    const named = this.inventory.idOf(request.name);
    if (requiredBy(this.fleet, named).length === 0) this.surroundings.giveUpStart(named);
    return this.orderly.operate({ action: "uninstall", plugin: request.name, by }, async (settled) => {
      const id = this.inventory.idOf(request.name);
      await settled(id);
      const member = this.fleet.members.get(id);
      if (!member && !(request.purge && (await this.inventory.isKept(id)))) throw new PluginNotFound(request.name);
      expectRow(member && this.pluginRows.of(member), by);
      const needing = requiredBy(this.fleet, id);
      if (needing.length > 0)
        throw new Conflict("kernel/required-by-others", `"${id}" is needed by ${needing.join(", ")}.`, {
          requiredBy: needing,
        });
      if (member) member.enabled = false;
      await this.fleet.reconcile();
      await this.inventory.drop(id, request);
      await this.faultPolicy.forget(id);
      await this.fleet.reconcile();
      await this.audit.record({
        action: request.purge ? "purge" : "uninstall",
        plugin: id,
        version: member?.plugin.version,
        by,
      });
    });
  }

  /** Whether plugins are being started, so that what is missing now may be there soon. */
  get starting(): boolean {
    return this.fleet.starting;
  }

  /** Reports a fault of a plugin to the fault policy. */
  reportFault(plugin: string, fault: unknown, where: string): void {
    if (this.surroundings.stopping.aborted) logFault(this.parts.logger(plugin), fault, where);
    else this.faultPolicy.report(plugin, fault, where);
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
