import { Conflict, LongboxError, type PluginDefinition, type Releasable } from "@longbox/sdk";
import { manifestSchema, type ManifestInput } from "@longbox/sdk/manifest";
import semver from "semver";
import type { Actor, AuditEntry, AuditTrail } from "./audit.js";
import type { Capabilities } from "./contracts/capabilities.js";
import type { Catalog } from "./packages/catalog.js";
import { clientParts, type ClientPart } from "./client-parts.js";
import { Conduct } from "./containment/fault-policy.js";
import type { ExtensionPoints } from "./contracts/extension-points.js";
import { logFault, type FaultLimit } from "./containment/faults.js";
import { Fleet, PluginNotFound } from "./installed/fleet.js";
import type { Member } from "./installed/member.js";
import type { HostParts } from "./host-parts.js";
import { Inventory } from "./installed/inventory.js";
import { Happening } from "../events/happening.js";
import { withoutKey, type LockEntry, type LockFile } from "./installed/lock-file.js";
import type { PackageLimits } from "./packages/package-limits.js";
import { isPluginId, type PluginOnDisk } from "./packages/plugin-package.js";
import { checkAgainst, requiredBy } from "./installed/policy.js";
import type { PreparedPlugin, Preparing } from "./packages/preparing.js";
import type { RegistryClient } from "./packages/registry-client.js";
import { rowOf, type PluginRow } from "./rows.js";
import type { OpenScope, RunningLimits, RunningParts } from "./running/running-plugin.js";
import type { PluginStore } from "./packages/store.js";
import { Switching } from "./installed/switching.js";
import { Turns } from "./turns.js";
import { Versions } from "./installed/versions.js";
import { Wishes, type DefaultWish, type InstallWish } from "./packages/install-requests.js";

/** Limits that tests make small. */
export interface PluginHostTuning {
  readonly limits?: Partial<RunningLimits>;
  readonly faultLimit?: FaultLimit;
  readonly probationMs?: number;
  /** How long an operation on plugins waits for those before it. */
  readonly turnMs?: number;
  readonly packages?: Partial<PackageLimits>;
}

export interface HostOptions extends PluginHostTuning {
  readonly parts: HostParts;
  readonly capabilities: Capabilities;
  readonly points: ExtensionPoints;
  readonly lock: LockFile;
  readonly store: PluginStore;
  readonly preparing: Preparing;
  readonly catalog: Catalog;
  readonly registry: RegistryClient;
  readonly audit: AuditTrail;
  readonly scope: OpenScope;
}

const defaultLimits: RunningLimits = {
  activateMs: 30_000,
  migrateMs: 600_000,
  patienceMs: 3_000,
  drainMs: 2_000,
  retireMs: 300_000,
};

/** The operations on plugins. They take turns, so that there is always an order that explains what came of them. */
export class PluginHost {
  readonly capabilities: Capabilities;
  readonly fleet: Fleet;
  readonly #options: HostOptions;
  readonly #inventory: Inventory;
  readonly #switching: Switching;
  readonly #versions: Versions;
  readonly #conduct: Conduct;
  readonly #wishes: Wishes;
  readonly #turns = new Turns();
  readonly #changed = new Happening<void>();
  readonly #kernelProvides = new Map<string, string>();
  readonly #stopping = new AbortController();

  constructor(options: HostOptions) {
    const { audit, capabilities, lock, parts, points, preparing, registry, scope, store } = options;
    this.#options = options;
    this.capabilities = capabilities;
    const running: RunningParts = {
      parts,
      capabilities,
      points,
      scope,
      stopping: this.#stopping.signal,
      report: (plugin, fault, where) => this.reportFault(plugin, fault, where),
      limits: { ...defaultLimits, ...options.limits },
    };
    const fleet = new Fleet(
      running,
      () => this.#kernelProvides,
      () => this.#announce(),
    );
    this.fleet = fleet;
    const inventory = new Inventory(fleet, lock, store, parts);
    this.#inventory = inventory;
    this.#switching = new Switching(fleet, running);
    this.#versions = new Versions({
      fleet,
      inventory,
      store,
      switching: this.#switching,
      probationMs: options.probationMs ?? 30_000,
    });
    this.#conduct = new Conduct({
      parts,
      fleet,
      inventory,
      versions: this.#versions,
      audit,
      turns: this.#turns,
      faultLimit: options.faultLimit ?? { count: 20, withinMs: 60_000 },
    });
    this.#wishes = new Wishes(inventory, preparing, registry, parts.logger("plugins"));
    fleet.onConfigured((id) => void this.#turns.take(() => fleet.retryConfigured(id)));
    fleet.onSettling(async (member, definition) => {
      const { running: started, setAside } = await this.#switching.settle(member.plugin, definition);
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

  /** Gives plugins a contract that the kernel itself keeps. */
  provideFromKernel(id: string, version: string, implementation: object): void {
    this.#kernelProvides.set(id, version);
    this.capabilities.provide({ id: "kernel" }, id, version, implementation);
  }

  /**
   * Reads what is installed, finishes what was interrupted, and starts what can run.
   * @param blocked - a plugin that must not run, because the last kernel died of it
   */
  start(blocked?: { readonly plugin: string; readonly reason: string }): Promise<void> {
    return this.#turns.take(async () => {
      await this.#inventory.open();
      const culprit = blocked && this.fleet.members.get(blocked.plugin);
      if (culprit) await this.#conduct.quarantine(culprit, blocked.reason);
      await this.fleet.reconcile();
    });
  }

  /** Adds a plugin that lies outside of the store: a folder under development, or a definition of a test. */
  link(plugin: PluginOnDisk, definition?: PluginDefinition): void {
    this.#inventory.link(plugin, definition);
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
    this.#stopping.abort(new LongboxError("unavailable", "kernel/stopping", "The server stops."));
    await this.#turns.take(() => this.fleet.stopAll());
    await this.#switching.endRetired();
  }

  row(name: string): PluginRow {
    return this.#row(this.#inventory.member(name));
  }

  rows(): PluginRow[] {
    return [...this.fleet.members.values()]
      .map((member) => this.#row(member))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  client(): ClientPart[] {
    return clientParts(this.fleet.members.values());
  }

  /** Settles once every operation that has been asked for has ended. */
  quiet(): Promise<void> {
    return this.#turns.quiet();
  }

  /** Switches a plugin on or off, at once and for the future. */
  setEnabled(name: string, enabled: boolean, by: Actor): Promise<PluginRow> {
    return this.#operate(async () => {
      const member = this.#inventory.member(name);
      const { id } = member.plugin;
      await this.#inventory.update(id, (entry) => withoutKey({ ...entry, enabled }, "quarantine"));
      member.enabled = enabled;
      member.blocked = undefined;
      this.#conduct.faults.forgive(id);
      await this.fleet.reconcile();
      return this.#done(member, { action: enabled ? "enable" : "disable", by });
    });
  }

  /** Installs a package, or brings an installed one to another version. Takes effect at once. */
  async install(wish: InstallWish, by: Actor): Promise<PluginRow> {
    for (;;) {
      const prepared = await this.#wishes.prepare(wish, this.#stopping.signal);
      const row = await this.#operate(async () => {
        // Somebody may have removed the package while this waited for its turn; then it is fetched anew.
        if (!(await this.#options.store.has(prepared.kept.folder))) return undefined;
        return this.#done(await this.#take(prepared, "admin"), { action: "install", by });
      });
      if (row) return row;
    }
  }

  /** Goes back to the version that ran before the last upgrade. */
  rollback(name: string, by: Actor): Promise<PluginRow> {
    return this.#operate(async () => {
      const member = this.#inventory.member(name);
      const reason = await this.#versions.rollBack(member);
      this.#conduct.faults.forgive(member.plugin.id);
      return this.#done(member, { action: "rollback", by, ...(reason === undefined ? {} : { reason }) });
    });
  }

  /** Removes a plugin; its data stays unless `purge`. @throws {Conflict} `kernel/required-by-others` */
  uninstall(wish: { readonly name: string; readonly purge: boolean }, by: Actor): Promise<void> {
    return this.#operate(async () => {
      const id = this.#inventory.idOf(wish.name);
      const member = this.fleet.members.get(id);
      if (!member && !(wish.purge && (await this.#isKept(id)))) throw new PluginNotFound(wish.name);
      const needing = requiredBy(this.fleet, id);
      if (needing.length > 0)
        throw new Conflict("kernel/required-by-others", `"${id}" is needed by ${needing.join(", ")}.`, {
          requiredBy: needing,
        });
      if (member) member.enabled = false;
      await this.fleet.reconcile();
      await this.#inventory.drop(id, wish);
      this.#conduct.faults.forget(id);
      await this.fleet.reconcile();
      await this.#options.audit.record({
        action: wish.purge ? "purge" : "uninstall",
        plugin: id,
        version: member?.plugin.version,
        by,
      });
    });
  }

  /** Installs or upgrades the plugins that the kernel was told to bring along. What an admin removed stays away. */
  async installDefaults(wishes: readonly DefaultWish[]): Promise<void> {
    const missing = wishes.filter((wish) => this.#inventory.wants(wish, semver.lt));
    const prepared = await this.#wishes.prepareDefaults(missing, this.#stopping.signal);
    await this.#turns.take(async () => {
      for (const one of prepared) {
        await this.#put(one, "default").catch((failure: unknown) => {
          this.#options.parts
            .logger("plugins")
            .error(`The default plugin "${one.plugin.package}" cannot be installed.`, { failure: String(failure) });
        });
      }
      // All of them at once: none waits for the start of another that it does not need.
      await this.fleet.reconcile();
    });
  }

  /** Whether plugins are being started, so that what is missing now may be there soon. */
  get starting(): boolean {
    return this.fleet.starting;
  }

  /** Does what a person asked for, who does not wait for ever. */
  #operate<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.takeWithin(this.#options.turnMs ?? 30_000, work);
  }

  /** Holds something that went wrong against a plugin. */
  reportFault(plugin: string, fault: unknown, where: string): void {
    if (this.#stopping.signal.aborted) logFault(this.#options.parts.logger(plugin), fault, where);
    else this.#conduct.report(plugin, fault, where);
  }

  async #take(prepared: PreparedPlugin, origin: LockEntry["origin"]): Promise<Member> {
    const member = await this.#put(prepared, origin);
    await this.fleet.reconcile();
    return member;
  }

  /** Puts a prepared package in its place: as a new plugin, which is started later, or as another version of one that is here. */
  async #put({ plugin, kept }: PreparedPlugin, origin: LockEntry["origin"]): Promise<Member> {
    checkAgainst(this.fleet, plugin, this.#inventory.owners);
    const present = this.fleet.members.get(plugin.id);
    if (present && !present.plugin.linked) {
      const same = present.plugin.version === plugin.version && present.plugin.hash === plugin.hash;
      await this.#inventory.claim(plugin);
      if (!same) await this.#versions.switchTo(present, plugin, kept);
      this.#conduct.faults.forgive(plugin.id);
      return present;
    }
    return this.#inventory.add(plugin, kept, origin);
  }

  /** Whether something is left of a plugin that was removed. */
  async #isKept(id: string): Promise<boolean> {
    if (!isPluginId(id)) return false;
    return this.#inventory.packageOf(id) !== undefined || (await this.#options.parts.storage.exists(id));
  }

  async #done(member: Member, entry: Pick<AuditEntry, "action" | "by" | "reason">): Promise<PluginRow> {
    const { id, version } = member.plugin;
    await this.#options.audit.record({ ...entry, plugin: id, version });
    return this.#row(member);
  }

  #row(member: Member): PluginRow {
    const { plugin } = member;
    const entry = this.#inventory.findEntry(plugin.id);
    return rowOf(member, {
      installedAt: entry?.installedAt ?? startedAt,
      previousVersion: entry?.previous?.version,
      rollbackRestoresDataOf: entry?.previous && entry.migratedAt,
      setAside: entry?.setAside,
      updateAvailable: plugin.linked ? undefined : this.#options.catalog.updateOf(plugin),
      faults: this.#conduct.faults.count(plugin.id),
      bytes: this.#inventory.sizeBytes(plugin.id),
    });
  }

  /** Hears of every change of what is installed or runs. */
  onChanged(listener: () => void): Releasable {
    return this.#changed.on(listener);
  }

  #announce(): void {
    if (this.#stopping.signal.aborted) return;
    this.#changed.tell();
    this.#options.parts.events.changed("plugins");
  }
}

const startedAt = new Date().toISOString();
