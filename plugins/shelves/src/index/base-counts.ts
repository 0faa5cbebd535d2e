import { isFixed, type FacetName } from "../browsing/facets.js";
import type { Bits } from "../columns/bits.js";
import type { Column } from "../columns/columns.js";
import type { Documents } from "./documents.js";

interface Base {
  readonly generation: number;
  readonly visible: Bits;
  readonly size: number;
  readonly counts: Map<FacetName, Uint32Array>;
}

/** A facet to be counted. */
export interface Counting {
  readonly facet: FacetName;
  readonly column: Column;
  readonly values: number;
  readonly seesRestricted: boolean;
}

/**
 * The counts of everything that a viewer may know of, kept until something changes. A selection of more than half of it
 * is counted by what it leaves out, so that no question counts more than half of all documents.
 */
export class BaseCounts {
  readonly #bases = new Map<boolean, Base>();

  count(within: Bits, { facet, column, values, seesRestricted }: Counting, documents: Documents): Uint32Array {
    const base = this.#base(seesRestricted, documents);
    const size = within.count();
    // What is fixed depends on the user or the clock, and is counted in no time.
    if (isFixed(facet) || size * 2 < base.size) return column.count(within, values);
    let all = base.counts.get(facet);
    if (!all) base.counts.set(facet, (all = column.count(base.visible, values)));
    if (size === base.size) return all;
    const rest = column.count(base.visible.grown(base.visible.size).andNot(within), values);
    return all.map((count, value) => count - rest[value]!);
  }

  #base(seesRestricted: boolean, documents: Documents): Base {
    const known = this.#bases.get(seesRestricted);
    if (known?.generation === documents.generation) return known;
    const visible = documents.visible(seesRestricted);
    const base = { generation: documents.generation, visible, size: visible.count(), counts: new Map() };
    this.#bases.set(seesRestricted, base);
    return base;
  }
}
