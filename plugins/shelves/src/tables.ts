import type { ColumnValues } from "@longbox/sdk";
import type { Generated, Kysely } from "kysely";

/** A selection that a user keeps. */
export interface SavedShelfTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** JSON: see `keptSelectionSchema`. */
  selection: ColumnValues["json"];
  sort: string;
  /** Others may see it. What it holds is what each of them may know of. */
  shared: ColumnValues["flag"];
  /** Shown on the home page of its owner. */
  on_home: ColumnValues["flag"];
  created_at: number;
  changed_at: number;
}

export interface ShelvesTables {
  saved_shelf: SavedShelfTable;
  rating: { user_id: number; issue_id: number; stars: number; rated_at: number };
  /** Series that changed since the last snapshot: read again after a restart. */
  unsaved_series: { series_id: number };
}

export type ShelvesDatabase = Kysely<ShelvesTables>;
