import { Conflict } from "@longbox/sdk";
import { Fleet } from "./fleet.js";
import type { Member } from "./member.js";
import { Inventory } from "./inventory.js";
import { versionsOf, withoutKey, type KeptVersion, type LockEntry } from "./lock-file.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { checkAgainst } from "./policy.js";
import { PluginStore } from "../packages/store.js";
import { isNewer, Switching, type SwitchRecord } from "./switching.js";
import { inject, injectable } from "../../injection.js";
import { PluginHostTuning } from "../host-tuning.js";

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

  /** Brings a member to another version of its package; blue/green when it runs. The one before is kept for a rollback. */
  async switchTo(member: Member, plugin: PluginOnDisk, kept: KeptVersion): Promise<void> {
    const before = this.#inventory.entry(plugin.id);
    const after = entryAfter(before, kept);
    if (member.running) {
      await this.#swap(member, plugin, {
        commit: (migrated) =>
          this.#inventory.put(migrated ? { ...after, migratedAt: new Date().toISOString() } : after),
        revert: () => this.#inventory.put(before),
      });
      await this.#inventory.settled(plugin.id, { migrated: false, setAside: undefined });
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
   * Goes back to the version before, or to an older one that is kept and can read the present data. Where its code cannot read the present data, that of before the upgrade comes back
   * too, and what was written since is set aside.
   * @returns what became of the data, in words, unless it stayed
   * @param to - The version; the one before by default
   * @throws {Conflict} `kernel/nothing-to-roll-back`
   */
  async rollBack(member: Member, to?: string): Promise<string | undefined> {
    const { id } = member.plugin;
    const before = this.#inventory.findEntry(id);
    const kept = before ? versionsOf(before).slice(1) : [];
    const previous = to === undefined ? before?.previous : kept.find(({ version }) => version === to);
    if (!before || !previous)
      throw new Conflict(
        "kernel/nothing-to-roll-back",
        `There is no version ${to ?? "before"} of "${id}" to go back to.`,
        {
          versions: kept.map(({ version }) => version),
        },
      );
    const plugin = await this.#store.read(previous);
    checkAgainst(this.#fleet, plugin, this.#inventory.owners);
    try {
      await this.switchTo(member, plugin, previous);
    } catch (failure) {
      // The data that is kept is that of the version before.
      const isBefore = previous.folder === before.previous?.folder;
      if (!isBefore || !isNewer(failure) || !(await this.#switching.hasPreviousData(id))) throw failure;
      await this.#fleet.stop(member);
      await this.switchTo(member, plugin, previous);
    }
    this.#probation.delete(id);
    const setAside = this.#inventory.findEntry(id)?.setAside;
    if (setAside === undefined || setAside.folder === before.setAside?.folder) return undefined;
    return `The data of ${before.migratedAt ?? "before the upgrade"} came back; what was written since is kept in ${setAside.folder}.`;
  }

  async #swap(member: Member, plugin: PluginOnDisk, record: SwitchRecord): Promise<void> {
    const switched = Promise.withResolvers<void>();
    member.upgrading = true;
    member.switching = switched.promise;
    this.#fleet.announce();
    try {
      await this.#switching.swap(member, plugin, {
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

function entryAfter(before: LockEntry, kept: KeptVersion): LockEntry {
  const former: KeptVersion = { version: before.version, integrity: before.integrity, folder: before.folder };
  const previous = former.folder === kept.folder ? before.previous : former;
  const others = versionsOf(before).slice(1);
  const older = others
    .filter(({ folder }) => folder !== kept.folder && folder !== previous?.folder)
    .slice(0, mostOlder);
  const after = { ...before, ...kept, ...(previous && { previous }), older, settling: true };
  return withoutKey(withoutKey(after, "quarantine"), "migratedAt");
}
