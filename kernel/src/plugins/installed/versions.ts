import { Conflict } from "@longbox/sdk";
import { Fleet } from "./fleet.js";
import type { Member } from "./member.js";
import { Inventory } from "./inventory.js";
import { withoutKey, type KeptVersion, type LockEntry } from "./lock-file.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { checkAgainst } from "./policy.js";
import { PluginStore } from "../packages/store.js";
import { isNewer, Switching } from "./switching.js";
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
    if (member.running) await this.#swap(member, plugin, { before, after });
    else {
      await this.#inventory.put(after);
      Object.assign(member, { plugin, definition: undefined, blocked: undefined, settling: true });
    }
    await this.#fleet.reconcile();
    const dropped = before.previous?.folder;
    if (dropped !== undefined && dropped !== after.folder && dropped !== after.previous?.folder)
      await this.#store.remove(dropped);
  }

  /**
   * Goes back to the version before. Where its code cannot read the present data, that of before the upgrade comes back
   * too, and what was written since is set aside.
   * @returns what became of the data, in words, unless it stayed
   * @throws {Conflict} `kernel/nothing-to-roll-back`
   */
  async rollBack(member: Member): Promise<string | undefined> {
    const { id } = member.plugin;
    const before = this.#inventory.findEntry(id);
    const previous = before?.previous;
    if (!previous)
      throw new Conflict("kernel/nothing-to-roll-back", `There is no earlier version of "${id}" to go back to.`);
    const plugin = await this.#store.read(previous);
    checkAgainst(this.#fleet, plugin, this.#inventory.owners);
    try {
      await this.switchTo(member, plugin, previous);
    } catch (failure) {
      if (!isNewer(failure) || !(await this.#switching.hasPreviousData(id))) throw failure;
      await this.#fleet.stop(member);
      await this.switchTo(member, plugin, previous);
    }
    this.#probation.delete(id);
    const setAside = this.#inventory.findEntry(id)?.setAside;
    if (setAside === undefined || setAside.folder === before.setAside?.folder) return undefined;
    return `The data of ${before.migratedAt ?? "before the upgrade"} came back; what was written since is kept in ${setAside.folder}.`;
  }

  async #swap(
    member: Member,
    plugin: PluginOnDisk,
    { before, after }: { readonly before: LockEntry; readonly after: LockEntry },
  ): Promise<void> {
    const switched = Promise.withResolvers<void>();
    member.upgrading = true;
    member.switching = switched.promise;
    this.#fleet.announce();
    try {
      await this.#switching.swap(member, plugin, {
        commit: (migrated) => {
          // Others may have changed while this version started.
          checkAgainst(this.#fleet, plugin, this.#inventory.owners);
          return this.#inventory.put(migrated ? { ...after, migratedAt: new Date().toISOString() } : after);
        },
        revert: () => this.#inventory.put(before),
      });
      await this.#inventory.settled(plugin.id, { migrated: false, setAside: undefined });
    } finally {
      member.upgrading = false;
      member.switching = undefined;
      switched.resolve();
      this.#fleet.announce();
    }
    this.#probation.set(plugin.id, Date.now() + this.#probationMs);
  }
}

function entryAfter(before: LockEntry, kept: KeptVersion): LockEntry {
  const former: KeptVersion = { version: before.version, integrity: before.integrity, folder: before.folder };
  const previous = former.folder === kept.folder ? before.previous : former;
  return withoutKey(
    withoutKey({ ...before, ...kept, ...(previous && { previous }), settling: true }, "quarantine"),
    "migratedAt",
  );
}
