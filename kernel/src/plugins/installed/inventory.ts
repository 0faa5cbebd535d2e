import { Conflict, LongboxError, type PluginDefinition } from "@longbox/sdk";
import { manifestSchema } from "@longbox/sdk/manifest";
import type { Introduction } from "../consent/introduction.js";
import { blockedBy, Fleet, PluginNotFound } from "./fleet.js";
import { newMember, type Member } from "./member.js";
import { HostParts } from "../host-parts.js";
import {
  withEntry,
  withOwner,
  withoutEntry,
  withoutKey,
  type IdOwner,
  type KeptVersion,
  keptOf,
  versionsOf,
  type LockEntry,
  LockFile,
  type PackageOrigin,
  type ShelvedVersion,
} from "./lock-file.js";
import { isPluginId, type PluginOnDisk } from "../packages/plugin-package.js";
import { PluginStore } from "../packages/store.js";
import { inject, injectable } from "../../injection.js";
import { DataFolder } from "../../kernel-tokens.js";
import type { LeftData } from "../../storage/storing.js";
import { forgetCompiledCode } from "../../memory/compiled-code.js";

/** What is installed: the lock file, the packages in the store, and their members in the fleet. */
@injectable()
export class Inventory {
  readonly #fleet: Fleet;
  readonly #lock: LockFile;
  readonly #store: PluginStore;
  readonly #parts: HostParts;
  readonly #dataFolder: string;
  readonly #bytes = new Map<string, number>();
  readonly #left = new Map<string, readonly LeftData[]>();

  constructor(
    @inject(Fleet) fleet: Fleet,
    @inject(LockFile) lock: LockFile,
    @inject(PluginStore) store: PluginStore,
    @inject(HostParts) parts: HostParts,
    @inject(DataFolder) dataFolder: string,
  ) {
    this.#fleet = fleet;
    this.#lock = lock;
    this.#store = store;
    this.#parts = parts;
    this.#dataFolder = dataFolder;
  }

  /** Finishes interrupted operations, and creates a member for each installed plugin. */
  async open(): Promise<void> {
    await this.#finishPurges();
    const { plugins: entries, shelved } = this.#lock.read();
    await this.#store.open(new Set([...entries.flatMap(versionsOf), ...shelved].map(({ folder }) => folder)));
    for (const entry of entries) if (!this.#fleet.members.get(entry.id)?.plugin.linked) await this.#admit(entry);
  }

  /** Adds a plugin that lies outside of the store. */
  link(plugin: PluginOnDisk, definition: PluginDefinition | undefined): void {
    this.#fleet.members.set(plugin.id, newMember(plugin, true, definition));
  }

  /** @param name - an id, or a package's name @throws {PluginNotFound} */
  member(name: string): Member {
    const member = this.#fleet.members.get(this.idOf(name));
    if (!member) throw new PluginNotFound(name);
    return member;
  }

  /** An id, or the id of the package of that name that is installed or whose data is kept. */
  idOf(name: string): string {
    if (this.#fleet.members.has(name)) return name;
    return this.byPackage(name)?.plugin.id ?? this.owners.find((owner) => owner.package === name)?.id ?? name;
  }

  /** The package that each id belongs to, for installed plugins and for those whose data is kept. */
  get owners(): readonly IdOwner[] {
    return this.#lock.read().owners;
  }

  /** The package that an id belongs to. */
  packageOf(id: string): string | undefined {
    return this.#fleet.members.get(id)?.plugin.package ?? this.owners.find((owner) => owner.id === id)?.package;
  }

  /** Writes down that the id and the permissions of a package belong to it, until its data is purged. */
  async claim(plugin: PluginOnDisk, from: PackageOrigin): Promise<void> {
    await this.#lock.update((lock) => withOwner(lock, ownerOf(plugin, from)));
  }

  /**
   * What to write down of the origin of a version: what its introduction says, or what is known of one that was here.
   */
  originOf(packageName: string, introduction: Introduction | undefined): PackageOrigin {
    const { publishedBy, builtFrom } = introduction
      ? { publishedBy: introduction.publishedBy, builtFrom: introduction.checks.builtFrom?.repository }
      : (this.owners.find((owner) => owner.package === packageName) ?? {});
    return { ...(publishedBy !== undefined && { publishedBy }), ...(builtFrom !== undefined && { builtFrom }) };
  }

  byPackage(name: string): Member | undefined {
    return [...this.#fleet.members.values()].find((member) => member.plugin.package === name);
  }

  /** The entry of an installed plugin; linked ones have none. */
  findEntry(id: string): LockEntry | undefined {
    return this.#lock.read().plugins.find((entry) => entry.id === id);
  }

  entry(id: string): LockEntry {
    const entry = this.findEntry(id);
    if (!entry)
      throw new LongboxError("internal", "kernel/not-in-lock-file", `The plugin "${id}" is not in the lock file.`);
    return entry;
  }

  /** A version of a package that is in the store, for the installed plugin or for its rollback. */
  async findKept(
    packageName: string,
    version: string,
    integrity: string,
  ): Promise<{ plugin: PluginOnDisk; kept: KeptVersion } | undefined> {
    return this.#readKept(
      keptOf(this.#lock.read(), packageName).find((kept) => kept.version === version && kept.integrity === integrity),
    );
  }

  /**
   * The version of a package that is named, or the last that was in use of one that was removed: for when no registry
   * answers.
   */
  async findWithoutRegistry(request: {
    readonly package: string;
    readonly version?: string | undefined;
    readonly integrity?: string | undefined;
  }): Promise<{ plugin: PluginOnDisk; kept: KeptVersion } | undefined> {
    const { version, integrity } = request;
    // Whether there is a newer version than the installed one, only the registry could say.
    if (version === undefined && this.byPackage(request.package) !== undefined) return undefined;
    return this.#readKept(
      keptOf(this.#lock.read(), request.package).find(
        (kept) => (version ?? kept.version) === kept.version && (integrity ?? kept.integrity) === kept.integrity,
      ),
    );
  }

  async #readKept(found: KeptVersion | undefined): Promise<{ plugin: PluginOnDisk; kept: KeptVersion } | undefined> {
    // A folder that cannot be read is as good as absent: the package is fetched again.
    const plugin = found && (await this.#store.read(found).catch(() => undefined));
    return plugin && { plugin, kept: found };
  }

  /** Whether a default plugin has to be installed or upgraded. */
  wants(
    plugin: { readonly package: string; readonly version: string },
    isOlder: (installed: string, wanted: string) => boolean,
  ): boolean {
    const present = this.byPackage(plugin.package);
    if (present) return !present.plugin.linked && isOlder(present.plugin.version, plugin.version);
    return !this.#lock.read().removed.includes(plugin.package);
  }

  async put(entry: LockEntry): Promise<void> {
    await this.#lock.update((lock) => withEntry(lock, entry));
    this.#bytes.set(entry.id, await this.#store.sizeBytes(entry.folder));
  }

  /** Changes an entry. Linked plugins have none: what is wanted of them ends with the process. */
  async update(id: string, change: (entry: LockEntry) => LockEntry): Promise<void> {
    if (!this.findEntry(id)) return;
    await this.#lock.update((lock) => ({
      ...lock,
      plugins: lock.plugins.map((entry) => (entry.id === id ? change(entry) : entry)),
    }));
  }

  /** The data is of the version that runs. @param how - what had to be done for that */
  async settled(id: string, how: { readonly migrated: boolean; readonly setAside: string | undefined }): Promise<void> {
    const at = new Date().toISOString();
    await this.update(id, (entry) => ({
      ...withoutKey(withoutKey(entry, "settling"), "dataOf"),
      ...(how.migrated && entry.previous ? { migratedAt: entry.migratedAt ?? at } : {}),
      ...(how.setAside === undefined ? {} : { setAside: { at, folder: how.setAside } }),
    }));
    await this.#lookAtData(id);
  }

  /** The versions whose data is kept as they left it, the last first. */
  leftData(id: string): readonly LeftData[] {
    return this.#left.get(id) ?? [];
  }

  async #lookAtData(id: string): Promise<void> {
    // Data that cannot be read is reported when it is opened.
    this.#left.set(id, await this.#parts.storage.leftData(id).catch(() => []));
  }

  /** Writes down a plugin that was not here before. */
  async add(
    plugin: PluginOnDisk,
    kept: KeptVersion,
    from: PackageOrigin & { readonly origin: LockEntry["origin"] },
  ): Promise<Member> {
    if (this.#fleet.members.get(plugin.id)?.plugin.linked)
      throw new Conflict("kernel/plugin-linked", `"${plugin.id}" runs from a folder; it cannot be installed besides.`);
    const entry: LockEntry = {
      id: plugin.id,
      package: plugin.package,
      ...kept,
      enabled: true,
      installedAt: new Date().toISOString(),
      origin: from.origin,
      settling: true,
    };
    await this.#lock.update((lock) => ({
      ...withOwner(withEntry(lock, entry), ownerOf(plugin, from)),
      removed: lock.removed.filter((name) => name !== plugin.package),
      shelved: lock.shelved.filter(({ folder }) => folder !== kept.folder),
    }));
    return this.#admit(entry);
  }

  /**
   * Strikes a stopped plugin off, removes its packages, and with `purge` its data. A crash in between is finished
   * later.
   */
  async drop(id: string, options: { readonly purge: boolean }): Promise<void> {
    const entry = this.findEntry(id);
    const before = this.#lock.read().shelved;
    const after = options.purge ? before.filter((shelved) => shelved.id !== id) : withShelved(before, entry);
    await this.#lock.update((lock) => ({
      ...withoutEntry(lock, id),
      removed: entry ? [...new Set([...lock.removed, entry.package])] : lock.removed,
      shelved: after,
      purging: options.purge ? [...lock.purging, id] : lock.purging,
    }));
    this.#fleet.members.delete(id);
    this.#bytes.delete(id);
    this.#left.delete(id);
    const stay = new Set(after.map(({ folder }) => folder));
    for (const { folder } of [...(entry ? versionsOf(entry) : []), ...before])
      if (!stay.has(folder)) await this.#store.remove(folder);
    if (options.purge) await this.#finishPurges();
  }

  /** Whether a plugin is installed, or data of a removed one is kept. */
  async isKept(id: string): Promise<boolean> {
    if (!isPluginId(id)) return false;
    return this.packageOf(id) !== undefined || (await this.#parts.storage.exists(id));
  }

  /** Bytes of the plugin's package. */
  sizeBytes(id: string): number {
    return this.#bytes.get(id) ?? 0;
  }

  async #finishPurges(): Promise<void> {
    const { purging } = this.#lock.read();
    if (purging.length > 0) await forgetCompiledCode(this.#dataFolder);
    for (const id of purging) {
      await this.#parts.storage.purge(id);
      await this.#parts.settings.purge(id);
      await this.#parts.accounts.forget(id);
      await this.#parts.roles.forget(this.owners.find((owner) => owner.id === id)?.permissions ?? []);
      await this.#lock.update((now) => ({
        ...now,
        purging: now.purging.filter((other) => other !== id),
        owners: now.owners.filter((owner) => owner.id !== id),
      }));
      await this.#lock.forgetFormer();
    }
  }

  /** Creates the member of an entry of the lock file. A version that cannot be read is kept, as failed. */
  async #admit(entry: LockEntry): Promise<Member> {
    const { plugin, unreadable } = await this.#store.read(entry).then(
      (found) => ({ plugin: found, unreadable: undefined }),
      (failure: unknown) => ({ plugin: placeholder(entry), unreadable: failure }),
    );
    const member = newMember(plugin, entry.enabled);
    if (unreadable !== undefined) member.blocked = blockedBy(unreadable);
    if (entry.quarantine) member.blocked = { state: "quarantined", reason: entry.quarantine.reason };
    member.settling = entry.settling ?? false;
    this.#bytes.set(entry.id, await this.#store.sizeBytes(entry.folder));
    await this.#lookAtData(entry.id);
    // Last, so that none is seen that is neither started nor on its way.
    this.#fleet.members.set(entry.id, member);
    return member;
  }
}

/** How many packages of removed plugins stay in the store. */
const mostShelved = 10;

function withShelved(shelved: readonly ShelvedVersion[], entry: LockEntry | undefined): ShelvedVersion[] {
  if (!entry) return [...shelved];
  const { id, package: name, version, integrity, folder } = entry;
  const others = shelved.filter((other) => other.package !== name);
  return [{ id, package: name, version, integrity, folder }, ...others].slice(0, mostShelved);
}

function ownerOf({ id, package: name, manifest }: PluginOnDisk, { publishedBy, builtFrom }: PackageOrigin): IdOwner {
  const permissions = manifest.permissions.map(({ key }) => key);
  return { id, package: name, permissions, publishedBy, builtFrom };
}

/**
 * Stands for an installed version whose files are gone or damaged, so that it can still be seen, upgraded and removed.
 */
function placeholder(entry: LockEntry): PluginOnDisk {
  const manifest = manifestSchema.parse({ id: entry.id, title: entry.id, description: "", sdk: "*" });
  return {
    id: entry.id,
    package: entry.package,
    version: entry.version,
    manifest,
    keywords: [],
    folder: "/",
    hash: "",
    linked: false,
    entry: ".",
  };
}
