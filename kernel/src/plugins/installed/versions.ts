import { Conflict } from "@longbox/sdk";
import { Fleet } from "./fleet.js";
import type { Member } from "./member.js";
import { Inventory } from "./inventory.js";
import { versionsOf, withoutKey, type KeptVersion, type LockEntry, type WantedVersion } from "./lock-file.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { checkAgainst } from "./policy.js";
import { PluginStore } from "../packages/store.js";
import { stepsUnknownTo, Switching, type SwitchRecord } from "./switching.js";
import type { LeftData } from "../../storage/storing.js";
import { inject, injectable } from "../../injection.js";
import { PluginHostTuning } from "../host-tuning.js";

/** Where a rollback is to go, and with which data: the present ones, or those that the version left. */
export interface RollbackRequest {
  /** The version before the last upgrade when left out. */
  readonly to?: string | undefined;
  readonly data?: "keep" | "snapshot" | undefined;
}

interface RollbackTarget {
  readonly kept: KeptVersion;
  /** It is the version before the last upgrade. */
  readonly isBefore: boolean;
}

/** A version to which one goes back cannot read the present data. */
class DataTooNew extends Conflict {
  constructor({ id, version }: PluginOnDisk, unknown: readonly string[], snapshots: readonly LeftData[]) {
    super(
      "kernel/data-too-new",
      `Version ${version} of "${id}" cannot read the present data, which was written by a newer version: it does not know ${unknown.join(", ")}.`,
      { unknown, snapshots },
    );
  }
}

/** Brings installed plugins from one version to another, and back. */
@injectable()
export class Versions {
  readonly #fleet: Fleet;
  readonly #inventory: Inventory;
  readonly #store: PluginStore;
  readonly #switching: Switching;
  readonly #probation = new Map<string, number>();
  readonly #probationMs: number;

  constructor(
    @inject(Fleet) fleet: Fleet,
    @inject(Inventory) inventory: Inventory,
    @inject(PluginStore) store: PluginStore,
    @inject(Switching) switching: Switching,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.#fleet = fleet;
    this.#inventory = inventory;
    this.#store = store;
    this.#switching = switching;
    this.#probationMs = tuning.probationMs ?? 30_000;
  }

  onProbation(id: string): boolean {
    return (this.#probation.get(id) ?? 0) > Date.now();
  }

  /**
   * Brings a member to another version of its package; blue/green when it runs. The one before is kept for a rollback,
   * and its data as it left them.
   */
  async switchTo(member: Member, plugin: PluginOnDisk, kept: WantedVersion): Promise<void> {
    const before = this.#inventory.entry(plugin.id);
    const after = entryAfter(before, kept);
    if (member.running) {
      const former = await this.#swap(member, plugin, {
        dataOf: kept.dataOf,
        commit: (migrated) =>
          this.#inventory.put(migrated ? { ...after, migratedAt: new Date().toISOString() } : after),
        revert: () => this.#inventory.put(before),
      });
      const setAside = kept.dataOf === undefined ? undefined : former;
      await this.#inventory.settled(plugin.id, { migrated: false, setAside });
      this.#probation.set(plugin.id, Date.now() + this.#probationMs);
    } else {
      await this.#inventory.put(after);
      Object.assign(member, { plugin, definition: undefined, blocked: undefined, settling: true });
    }
    await this.#fleet.reconcile();
    const stay = new Set(versionsOf(after).map(({ folder }) => folder));
    for (const { folder } of versionsOf(before)) if (!stay.has(folder)) await this.#store.remove(folder);
  }

  /**
   * Puts a new build of a folder under development in the place of the one before; blue/green when it runs.
   * @throws {UpgradeFailed} then the build before serves on
   */
  async replaceBuild(member: Member, plugin: PluginOnDisk): Promise<void> {
    const nothing = async () => {};
    if (member.running) await this.#swap(member, plugin, { commit: nothing, revert: nothing });
    else {
      const isQuarantined = member.blocked?.state === "quarantined";
      Object.assign(member, { plugin, definition: undefined, blocked: undefined });
      if (isQuarantined) member.enabled = true;
    }
    await this.#fleet.reconcile();
  }

  /**
   * Goes back to the version before, or to another one that is kept. By default with the present data; where the
   * version before cannot read them, those of before the upgrade come back, and what was written since is set aside.
   * @returns what became of the data, in words, unless it stayed
   * @throws {Conflict} `kernel/nothing-to-roll-back`
   * @throws {DataTooNew} when the version cannot read the present data
   * @throws {Conflict} `kernel/no-kept-data` when those that it left are wanted and not kept
   */
  async rollBack(member: Member, request: RollbackRequest = {}): Promise<string | undefined> {
    const { id } = member.plugin;
    const before = this.#inventory.findEntry(id);
    const target = this.#targetOf(id, before, request);
    const plugin = await this.#store.read(target.kept);
    checkAgainst(this.#fleet, plugin, this.#inventory.owners);
    if (request.data === "snapshot") {
      await this.switchTo(member, plugin, { ...target.kept, dataOf: this.#leftBy(plugin).version });
    } else await this.#goBackTo(member, plugin, { ...target, ...request });
    this.#probation.delete(id);
    const came =
      request.data === "snapshot" ? `that ${plugin.version} left` : `of ${before?.migratedAt ?? "before the upgrade"}`;
    return this.#toldOf(id, { came, formerlySetAside: before?.setAside?.folder });
  }

  #targetOf(id: string, before: LockEntry | undefined, { to }: RollbackRequest): RollbackTarget {
    const others = before ? versionsOf(before).slice(1) : [];
    const kept = to === undefined ? before?.previous : others.find(({ version }) => version === to);
    if (kept) return { kept, isBefore: kept.folder === before?.previous?.folder };
    throw new Conflict(
      "kernel/nothing-to-roll-back",
      `There is no version ${to ?? "before"} of "${id}" to go back to.`,
      {
        versions: others.map(({ version }) => version),
      },
    );
  }

  #leftBy({ id, version }: PluginOnDisk): LeftData {
    const snapshots = this.#inventory.leftData(id);
    const found = snapshots.find((left) => left.version === version);
    if (found) return found;
    throw new Conflict("kernel/no-kept-data", `Of version ${version} of "${id}" no data is kept.`, { snapshots });
  }

  /** With the present data, or with those from before the upgrade. A plugin that is off may find out at its start. */
  async #goBackTo(
    member: Member,
    plugin: PluginOnDisk,
    { kept, isBefore, data }: RollbackTarget & RollbackRequest,
  ): Promise<void> {
    const mayChange = data === undefined && isBefore;
    try {
      if (!member.running && !mayChange) await this.#switching.requireReading(plugin);
      await this.switchTo(member, plugin, kept);
    } catch (failure) {
      const unknown = stepsUnknownTo(failure);
      if (unknown === undefined) throw failure;
      if (!mayChange || !(await this.#switching.hasPreviousData(plugin.id)))
        throw new DataTooNew(plugin, unknown, this.#inventory.leftData(plugin.id));
      await this.#fleet.stop(member);
      await this.switchTo(member, plugin, kept);
    }
  }

  #toldOf(
    id: string,
    { came, formerlySetAside }: { readonly came: string; readonly formerlySetAside: string | undefined },
  ): string | undefined {
    const entry = this.#inventory.findEntry(id);
    const folder = entry?.setAside?.folder;
    if (entry?.dataOf !== undefined) return `It is to start with the data ${came}.`;
    if (folder === undefined || folder === formerlySetAside) return undefined;
    return `The data ${came} came back; what was written since is kept in ${folder}.`;
  }

  async #swap(member: Member, plugin: PluginOnDisk, record: SwitchRecord): Promise<string> {
    const switched = Promise.withResolvers<void>();
    member.upgrading = true;
    member.switching = switched.promise;
    this.#fleet.announce();
    try {
      return await this.#switching.swap(member, plugin, {
        dataOf: record.dataOf,
        commit: (migrated) => {
          // Others may have changed while this version started.
          checkAgainst(this.#fleet, plugin, this.#inventory.owners);
          return record.commit(migrated);
        },
        revert: () => record.revert(),
      });
    } finally {
      member.upgrading = false;
      member.switching = undefined;
      switched.resolve();
      this.#fleet.announce();
    }
  }
}

/** How many versions before the previous one are kept. */
const mostOlder = 3;

function entryAfter(before: LockEntry, kept: WantedVersion): LockEntry {
  const former: KeptVersion = { version: before.version, integrity: before.integrity, folder: before.folder };
  const previous = former.folder === kept.folder ? before.previous : former;
  const others = versionsOf(before).slice(1);
  const older = others
    .filter(({ folder }) => folder !== kept.folder && folder !== previous?.folder)
    .slice(0, mostOlder);
  const after = { ...withoutKey(before, "dataOf"), ...kept, ...(previous && { previous }), older, settling: true };
  return withoutKey(withoutKey(after, "quarantine"), "migratedAt");
}
