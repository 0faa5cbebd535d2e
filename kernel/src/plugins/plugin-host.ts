import { Conflict, isLongboxError, LongboxError, type PluginDefinition } from "@longbox/sdk";
import { manifestSchema, type ManifestInput } from "@longbox/sdk/manifest";
import semver from "semver";
import type { Actor, AuditTrail } from "./audit.js";
import type { Capabilities } from "./capabilities.js";
import type { Catalog } from "./catalog.js";
import { clientParts, type ClientPart } from "./client-parts.js";
import type { ExtensionPoints } from "./extension-points.js";
import { FaultBudget, logFault, type FaultLimit } from "./faults.js";
import { blockedBy, Fleet, newMember, PluginNotFound, type Member } from "./fleet.js";
import type { HostParts } from "./host-parts.js";
import { withEntry, withoutEntry, type KeptVersion, type LockEntry, type LockFile } from "./lock-file.js";
import type { PackageLimits } from "./package-limits.js";
import { checkAgainst, requiredBy } from "./policy.js";
import type { PreparedPlugin, Preparing } from "./preparing.js";
import { isPluginId, type PluginOnDisk } from "./plugin-package.js";
import { rowOf, type PluginRow } from "./rows.js";
import type { OpenScope, RunningLimits, RunningParts } from "./running-plugin.js";
import type { PluginStore } from "./store.js";
import { isNewer, Switching } from "./switching.js";
import { Turns } from "./turns.js";

/** Limits that tests make small. */
export interface PluginHostTuning {
  readonly limits?: Partial<RunningLimits>;
  readonly faultLimit?: FaultLimit;
  readonly probationMs?: number;
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
  readonly audit: AuditTrail;
  readonly scope: OpenScope;
}

/** What an admin asks to be installed: an id or a package name, perhaps an exact version. */
export interface InstallWish {
  readonly name: string;
  readonly version?: string | undefined;
  readonly integrity?: string | undefined;
}

const defaultLimits: RunningLimits = { activateMs: 30_000, drainMs: 2_000, retireMs: 300_000 };

/** Desired state, actual state, and the operations that move one to the other. */
export class PluginHost {
  readonly capabilities: Capabilities;
  readonly points: ExtensionPoints;
  readonly fleet: Fleet;
  readonly #options: HostOptions;
  readonly #switching: Switching;
  readonly #faults: FaultBudget;
  readonly #turns = new Turns();
  readonly #kernelProvides = new Map<string, string>();
  readonly #bytes = new Map<string, number>();
  readonly #probation = new Map<string, number>();
  #stopping = false;

  constructor(options: HostOptions) {
    this.#options = options;
    const report = (plugin: string, fault: unknown, where: string) => this.reportFault(plugin, fault, where);
    this.capabilities = options.capabilities;
    this.points = options.points;
    this.#faults = new FaultBudget(options.faultLimit ?? { count: 20, withinMs: 60_000 });
    const running: RunningParts = { parts: options.parts, capabilities: this.capabilities, points: this.points, report, limits: { ...defaultLimits, ...options.limits }, scope: options.scope };
    this.fleet = new Fleet(running, () => this.#kernelProvides, () => this.#announce());
    this.#switching = new Switching(this.fleet, running);
    this.fleet.onConfigured((id) => void this.#turns.take(() => this.#retry(id)));
    this.fleet.onSettling(async (member, definition) => {
      const started = await this.#switching.settle(member.plugin, definition);
      member.settling = false;
      await this.#updateEntry(member.plugin.id, (entry) => withoutKey(entry, "settling"));
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
      const { lock, store } = this.#options;
      await this.#finishPurges();
      const kept = lock.read().plugins.flatMap((entry) => (entry.previous ? [entry.folder, entry.previous.folder] : [entry.folder]));
      await store.open(new Set(kept));
      for (const entry of lock.read().plugins) if (!this.fleet.members.get(entry.id)?.plugin.linked) await this.#admit(entry);
      const culprit = blocked && this.fleet.members.get(blocked.plugin);
      if (culprit) await this.#switchOff(culprit, blocked.reason);
      await this.fleet.reconcile();
    });
  }

  /** Adds a plugin that lies outside of the store: a folder under development, or a definition of a test. */
  link(plugin: PluginOnDisk, definition?: PluginDefinition): void {
    this.fleet.members.set(plugin.id, newMember(plugin, true, definition));
  }

  /** A definition without a package, for tests. */
  linkDefinition(manifest: ManifestInput, definition: PluginDefinition): void {
    const parsed = manifestSchema.parse(manifest);
    this.link({ id: parsed.id, package: `test-${parsed.id}`, version: "1.0.0", manifest: parsed, folder: "/", hash: "test", linked: true, entry: "." }, definition);
  }

  /** Stops every plugin; the lock file stays as it is. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#turns.take(() => this.fleet.stopAll());
    await this.#switching.endRetired();
  }

  row(name: string): PluginRow {
    return this.#row(this.#member(name));
  }

  rows(): PluginRow[] {
    return [...this.fleet.members.values()].map((member) => this.#row(member)).sort((a, b) => (a.name < b.name ? -1 : 1));
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
    return this.#turns.take(async () => {
      const member = this.#member(name);
      await this.#updateEntry(name, (entry) => withoutKey({ ...entry, enabled }, "quarantine"));
      member.enabled = enabled;
      member.blocked = undefined;
      this.#faults.forgive(name);
      await this.fleet.reconcile();
      await this.#options.audit.record({ action: enabled ? "enable" : "disable", plugin: name, version: member.plugin.version, by });
      return this.#row(member);
    });
  }

  /** Installs a package, or brings an installed one to another version. Takes effect at once. */
  async install(wish: InstallWish, by: Actor): Promise<PluginRow> {
    for (;;) {
      const prepared = await this.#prepare(wish);
      const row = await this.#turns.take(() => this.#installPrepared(prepared, by));
      if (row) return row;
    }
  }

  /** @returns undefined when the package was removed while this waited for its turn */
  async #installPrepared(prepared: PreparedPlugin, by: Actor): Promise<PluginRow | undefined> {
    if (!(await this.#options.store.has(prepared.kept.folder))) return undefined;
    const member = await this.#commitInstall(prepared, "admin");
    await this.#options.audit.record({ action: "install", plugin: prepared.plugin.id, version: prepared.plugin.version, by });
    return this.#row(member);
  }

  /** Goes back to the version that ran before the last upgrade. */
  rollback(name: string, by: Actor): Promise<PluginRow> {
    return this.#turns.take(async () => {
      const member = this.#member(name);
      await this.#rollback(member);
      await this.#options.audit.record({ action: "rollback", plugin: name, version: member.plugin.version, by });
      return this.#row(member);
    });
  }

  /** Removes a plugin; its data stays unless `purge`. @throws {Conflict} `kernel/required-by-others` */
  uninstall(wish: { readonly name: string; readonly purge: boolean }, by: Actor): Promise<void> {
    return this.#turns.take(async () => {
      const id = this.#idOf(wish.name);
      const member = this.fleet.members.get(id);
      if (!member && !(wish.purge && isPluginId(id) && (await this.#options.parts.storage.exists(id)))) throw new PluginNotFound(wish.name);
      const needing = requiredBy(this.fleet, id);
      if (needing.length > 0) throw new Conflict("kernel/required-by-others", `"${id}" is needed by ${needing.join(", ")}.`, { requiredBy: needing });
      await this.#remove(id, member, wish.purge);
      await this.#options.audit.record({ action: wish.purge ? "purge" : "uninstall", plugin: id, version: member?.plugin.version, by });
    });
  }

  /** Installs or upgrades the plugins that the kernel was told to bring along. What an admin removed stays away. */
  async installDefaults(wishes: ReadonlyArray<{ readonly package: string; readonly version: string }>): Promise<void> {
    const { lock } = this.#options;
    const missing = wishes.filter((wish) => {
      const entry = lock.read().plugins.find((known) => known.package === wish.package);
      return entry ? semver.lt(entry.version, wish.version) : !lock.read().removed.includes(wish.package);
    });
    if (missing.length === 0) return;
    const prepared = await inParts(missing, 3, (wish) => this.#prepareDefault(wish));
    await this.#turns.take(() => this.#commitDefaults(prepared.filter((one) => one !== undefined)));
  }

  /** The registry may still be starting: it is asked again for a while. */
  async #prepareDefault(wish: { readonly package: string; readonly version: string }): Promise<PreparedPlugin | undefined> {
    const giveUpAt = Date.now() + registryPatienceMs;
    for (;;) {
      try {
        return await this.#prepare({ name: wish.package, version: wish.version });
      } catch (failure) {
        if (isLongboxError(failure) && failure.code === "kernel/registry-unreachable" && Date.now() < giveUpAt && !this.#stopping) {
          await new Promise((resolve) => setTimeout(resolve, 250));
          continue;
        }
        this.#options.parts.logger("plugins").error(`The default plugin "${wish.package}" ${wish.version} cannot be installed.`, { failure: String(failure) });
        return undefined;
      }
    }
  }

  /** A plugin did something wrong outside of a request's answer. Too much of it, and it is switched off. */
  reportFault(plugin: string, fault: unknown, where: string): void {
    logFault(this.#options.parts.logger(plugin), fault, where);
    const member = this.fleet.members.get(plugin);
    if (!member || this.#stopping || where === "activate") return;
    if (!this.#faults.add(plugin)) return;
    this.#faults.forgive(plugin);
    const reason = `Too many faults; the last was in ${where}: ${fault instanceof Error ? fault.message : String(fault)}`;
    void this.quarantine(plugin, reason);
  }

  /** Switches a plugin off because it does harm, or goes back to the version before when it is new. */
  quarantine(id: string, reason: string): Promise<void> {
    return this.#turns.take(async () => {
      const member = this.fleet.members.get(id);
      if (!member?.enabled || member.blocked) return;
      if ((this.#probation.get(id) ?? 0) > Date.now() && (await this.#rollbackInstead(member))) return;
      await this.#switchOff(member, reason);
      await this.fleet.reconcile();
    });
  }

  async #switchOff(member: Member, reason: string): Promise<void> {
    const { id, version } = member.plugin;
    await this.#updateEntry(id, (entry) => ({ ...entry, quarantine: { reason, at: new Date().toISOString() } }));
    member.blocked = { state: "quarantined", reason };
    await this.#options.audit.record({ action: "quarantine", plugin: id, version, by: system, reason });
  }

  /** Somebody has changed the settings of a plugin that could not start with those before. */
  async #retry(id: string): Promise<void> {
    const member = this.fleet.members.get(id);
    if (member?.blocked?.state !== "needs-config") return;
    member.blocked = undefined;
    await this.fleet.reconcile();
  }

  async #rollbackInstead(member: Member): Promise<boolean> {
    try {
      await this.#rollback(member);
      await this.#options.audit.record({ action: "rollback", plugin: member.plugin.id, version: member.plugin.version, by: system, reason: "the new version did not stay up" });
      return true;
    } catch (failure) {
      this.#options.parts.logger("plugins").error(`"${member.plugin.id}" cannot go back to the version before.`, { failure: String(failure) });
      return false;
    }
  }

  async #prepare(wish: InstallWish): Promise<PreparedPlugin> {
    const { preparing } = this.#options;
    const packageName = await this.#packageOf(wish.name);
    const asked = { package: packageName, version: wish.version, integrity: wish.integrity };
    const chosen = await preparing.choose(asked);
    const known = this.#entryByPackage(packageName);
    const kept = [known, known?.previous].find((version) => version?.version === chosen.published.version && version.integrity === chosen.integrity);
    const present = kept && (await this.#options.store.read(kept).catch(() => undefined));
    if (kept && present) return { plugin: present, kept: { version: kept.version, integrity: kept.integrity, folder: kept.folder } };
    return preparing.prepare(asked, chosen);
  }

  async #packageOf(name: string): Promise<string> {
    const member = this.fleet.members.get(name);
    if (member && !member.plugin.linked) return member.plugin.package;
    return name.startsWith("@") ? name : ((await this.#options.catalog.packageOf(name)) ?? name);
  }

  #entryByPackage(name: string): LockEntry | undefined {
    return this.#options.lock.read().plugins.find((entry) => entry.package === name);
  }

  async #commitInstall(prepared: PreparedPlugin, origin: LockEntry["origin"]): Promise<Member> {
    const { plugin, kept } = prepared;
    checkAgainst(this.fleet, plugin);
    const present = this.fleet.members.get(plugin.id);
    if (present && !present.plugin.linked) {
      if (present.plugin.version !== plugin.version || present.plugin.hash !== plugin.hash) await this.#switchTo(present, plugin, kept);
      return present;
    }
    const entry: LockEntry = { id: plugin.id, package: plugin.package, ...kept, enabled: true, installedAt: new Date().toISOString(), origin, settling: true };
    await this.#options.lock.update((lock) => ({ ...withEntry(lock, entry), removed: lock.removed.filter((name) => name !== plugin.package) }));
    const member = await this.#admit(entry);
    await this.fleet.reconcile();
    return member;
  }

  async #commitDefaults(prepared: readonly PreparedPlugin[]): Promise<void> {
    for (const one of prepared) {
      try {
        await this.#commitInstall(one, "default");
      } catch (failure) {
        this.#options.parts.logger("plugins").error(`The default plugin "${one.plugin.package}" cannot be installed.`, { failure: String(failure) });
      }
    }
  }

  /** Brings a member to another version of its package, blue/green when it runs. */
  async #switchTo(member: Member, plugin: PluginOnDisk, kept: KeptVersion): Promise<void> {
    const before = this.#entry(plugin.id);
    const former: KeptVersion = { version: before.version, integrity: before.integrity, folder: before.folder };
    const previous = former.folder === kept.folder ? before.previous : former;
    const after: LockEntry = withoutKey({ ...before, ...kept, ...(previous && { previous }), settling: true }, "quarantine");
    const record = { commit: () => this.#put(after), revert: () => this.#put(before) };
    const dropped = before.previous && before.previous !== previous && before.previous.folder !== kept.folder ? before.previous : undefined;
    if (member.running) {
      member.upgrading = true;
      this.#announce();
      try {
        await this.#switching.swap(member, plugin, record);
        await this.#put(withoutKey(after, "settling"));
      } finally {
        member.upgrading = false;
        this.#announce();
      }
      this.#probation.set(plugin.id, Date.now() + (this.#options.probationMs ?? 30_000));
    } else {
      await record.commit();
      Object.assign(member, { plugin, definition: undefined, blocked: undefined, settling: true });
    }
    this.#bytes.delete(plugin.id);
    this.#faults.forgive(plugin.id);
    await this.fleet.reconcile();
    if (dropped) await this.#options.store.remove(dropped.folder);
  }

  async #rollback(member: Member): Promise<void> {
    const { id } = member.plugin;
    const entry = member.plugin.linked ? undefined : this.#entry(id);
    if (!entry?.previous) throw new Conflict("kernel/nothing-to-roll-back", `There is no earlier version of "${id}" to go back to.`);
    const plugin = await this.#options.store.read(entry.previous);
    checkAgainst(this.fleet, plugin);
    this.#probation.delete(id);
    try {
      await this.#switchTo(member, plugin, entry.previous);
    } catch (failure) {
      if (!isNewer(failure)) throw failure;
      await this.fleet.stop(member);
      await this.#switchTo(member, plugin, entry.previous);
    }
    this.#probation.delete(id);
  }

  async #remove(id: string, member: Member | undefined, purge: boolean): Promise<void> {
    const { lock, store } = this.#options;
    const entry = lock.read().plugins.find((known) => known.id === id);
    if (member) member.enabled = false;
    await this.fleet.reconcile();
    await lock.update((now) => ({ ...withoutEntry(now, id), removed: entry ? [...new Set([...now.removed, entry.package])] : now.removed, purging: purge ? [...now.purging, id] : now.purging }));
    this.fleet.members.delete(id);
    this.#faults.forget(id);
    this.#bytes.delete(id);
    for (const kept of [entry, entry?.previous]) if (kept) await store.remove(kept.folder);
    if (purge) await this.#finishPurges();
    await this.fleet.reconcile();
  }

  async #finishPurges(): Promise<void> {
    const { lock, parts } = this.#options;
    for (const id of lock.read().purging) {
      await parts.storage.purge(id);
      await parts.settings.purge(id);
      await parts.accounts.forget(id);
      await lock.update((now) => ({ ...now, purging: now.purging.filter((other) => other !== id) }));
    }
  }

  /** Makes a member of what the lock file says is installed. A version that cannot be read stays, as failed. */
  async #admit(entry: LockEntry): Promise<Member> {
    const { plugin, unreadable } = await this.#options.store.read(entry).then(
      (found) => ({ plugin: found, unreadable: undefined }),
      (failure: unknown) => ({ plugin: placeholder(entry), unreadable: failure }),
    );
    const member = newMember(plugin, entry.enabled);
    if (unreadable !== undefined) member.blocked = blockedBy(unreadable);
    member.settling = entry.settling ?? false;
    if (entry.quarantine) member.blocked = { state: "quarantined", reason: entry.quarantine.reason };
    this.fleet.members.set(entry.id, member);
    this.#bytes.set(entry.id, await this.#options.store.sizeBytes(entry.folder));
    return member;
  }

  #member(name: string): Member {
    const member = this.fleet.members.get(this.#idOf(name));
    if (!member) throw new PluginNotFound(name);
    return member;
  }

  /** An id, or the id of the package of that name. */
  #idOf(name: string): string {
    if (this.fleet.members.has(name)) return name;
    const byPackage = [...this.fleet.members.values()].find((member) => member.plugin.package === name);
    return byPackage?.plugin.id ?? name;
  }

  #entry(id: string): LockEntry {
    const entry = this.#options.lock.read().plugins.find((known) => known.id === id);
    if (!entry) throw new LongboxError("internal", "kernel/not-in-lock-file", `The plugin "${id}" is not in the lock file.`);
    return entry;
  }

  async #put(entry: LockEntry): Promise<void> {
    await this.#options.lock.update((lock) => withEntry(lock, entry));
  }

  /** Linked plugins are in no lock file: what is wanted of them ends with the process. */
  async #updateEntry(id: string, change: (entry: LockEntry) => LockEntry): Promise<void> {
    if (!this.#options.lock.read().plugins.some((entry) => entry.id === id)) return;
    await this.#options.lock.update((lock) => ({ ...lock, plugins: lock.plugins.map((entry) => (entry.id === id ? change(entry) : entry)) }));
  }

  #row(member: Member): PluginRow {
    const { id } = member.plugin;
    const entry = this.#options.lock.read().plugins.find((known) => known.id === id);
    return rowOf(member, {
      installedAt: entry?.installedAt ?? startedAt,
      previousVersion: entry?.previous?.version,
      updateAvailable: member.plugin.linked ? undefined : this.#options.catalog.updateOf(member.plugin),
      faults: this.#faults.count(id),
      bytes: this.#bytes.get(id) ?? 0,
    });
  }

  #announce(): void {
    if (!this.#stopping) this.#options.parts.events.changed("plugins");
  }
}

const registryPatienceMs = 10_000;

/** Does work on all, a few at a time, in their order. */
async function inParts<T, R>(all: readonly T[], width: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += width) results.push(...(await Promise.all(all.slice(at, at + width).map(work))));
  return results;
}

/** Stands for an installed version whose files are gone or damaged, so that it can still be seen, upgraded and removed. */
function placeholder(entry: LockEntry): PluginOnDisk {
  const manifest = manifestSchema.parse({ id: entry.id, title: entry.id, description: "", sdk: "*" });
  return { id: entry.id, package: entry.package, version: entry.version, manifest, folder: "/", hash: "", linked: false, entry: "." };
}

/** The kernel itself, in the audit trail. */
const system: Actor = { id: -1, username: "system" };

const startedAt = new Date().toISOString();

function withoutKey<T extends object, K extends keyof T>(value: T, key: K): T {
  const copy = { ...value };
  delete copy[key];
  return copy;
}
