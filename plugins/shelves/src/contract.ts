import { contract, type Viewer } from "@longbox/sdk";

/** A selection that a user keeps. */
export interface SavedShelf {
  readonly id: number;
  readonly name: string;
  readonly mine: boolean;
  /** ISO 8601, UTC. */
  readonly changedAt: string;
}

/** Kept selections: a viewer's own, and those that others share. */
export interface ShelvesContract {
  /** The viewer's own first, then those that others share, each by name. */
  listShelves(viewer: Viewer): Promise<readonly SavedShelf[]>;
  /**
   * The internal ids of the owned issues of a shelf, in its order, at most 10 000. Undefined when there is no such
   * shelf, or when it is hidden from the viewer.
   */
  findIssues(shelfId: number, viewer: Viewer): Promise<readonly number[] | undefined>;
}

export const Shelves = contract<ShelvesContract>("shelves", "1.0.0");
