import { inject, injectable } from "../injection.js";
import { FaultPolicy } from "./containment/fault-policy.js";
import { RefusedCalls } from "./containment/refused-calls.js";
import { Inventory } from "./installed/inventory.js";
import { versionsOf } from "./installed/lock-file.js";
import { Isolation } from "./isolated/isolation.js";
import type { Member } from "./installed/member.js";
import { Catalog } from "./packages/catalog.js";
import { rowOf, type PluginRow } from "./rows.js";

const startedAt = new Date().toISOString();

/** Puts the rows of plugins together, from all that is known of them. */
@injectable()
export class PluginRows {
  constructor(
    @inject(Inventory) private readonly inventory: Inventory,
    @inject(Catalog) private readonly catalog: Catalog,
    @inject(FaultPolicy) private readonly faultPolicy: FaultPolicy,
    @inject(RefusedCalls) private readonly refused: RefusedCalls,
    @inject(Isolation) private readonly isolation: Isolation,
  ) {}

  of(member: Member): PluginRow {
    const { plugin } = member;
    const entry = this.inventory.findEntry(plugin.id);
    const kept = entry ? namesOf(versionsOf(entry).slice(1)) : [];
    return rowOf(member, {
      installedAt: entry?.installedAt ?? startedAt,
      previousVersion: entry?.previous?.version,
      keptVersions: kept,
      keptData: this.inventory.leftData(plugin.id).filter(({ version }) => kept.includes(version)),
      rollbackRestoresDataOf: entry?.previous && entry.migratedAt,
      setAside: entry?.setAside,
      updateAvailable: plugin.linked ? undefined : this.catalog.updateOf(plugin),
      callsAfterStop: this.refused.count(plugin.id),
      isolation: this.isolation.of(plugin),
      faults: this.faultPolicy.faults.count(plugin.id),
      bytes: this.inventory.sizeBytes(plugin.id),
    });
  }
}

const namesOf = (versions: readonly { readonly version: string }[]) => versions.map(({ version }) => version);
