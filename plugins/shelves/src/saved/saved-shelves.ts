import type { Viewer } from "@longbox/sdk";
import { checkSelection, keptSelectionSchema, type ChosenValues } from "../browsing/selection.js";
import type { Questions } from "../browsing/questions.js";
import { MayNotShare, NotYourShelf, ShelfNotFound, TooManyShelves } from "../errors.js";
import { sorts, type Sort } from "../thread/protocol.js";
import type { SavedRecords, SavedShelf, SavedShelfChange } from "./saved-records.js";

const mostShelves = 200;

/** A shelf as its owner describes it. */
export interface ShelfDescription {
  readonly name: string;
  readonly selection: ChosenValues;
  readonly sort: Sort;
  readonly shared: boolean;
  readonly onHome: boolean;
}

export type ShelfChange = { readonly [Name in keyof ShelfDescription]?: ShelfDescription[Name] | undefined };

export interface KeptShelf extends ShelfDescription {
  readonly id: number;
  readonly mine: boolean;
  readonly createdAt: string;
  readonly changedAt: string;
}

interface SavedShelvesParts {
  readonly records: SavedRecords;
  readonly questions: Questions;
  /** Told of whose shelf changed, and whether others see it. */
  readonly changed: (userId: number, forAll: boolean) => void;
}

/** Selections that users keep under a name. A shared one shows everyone what that person may know of. */
export class SavedShelves {
  constructor(private readonly parts: SavedShelvesParts) {}

  async list(viewer: Viewer): Promise<KeptShelf[]> {
    return (await this.parts.records.listFor(viewer.user.id)).map((row) => toShelf(row, viewer));
  }

  async onHomeOf(viewer: Viewer): Promise<KeptShelf[]> {
    return (await this.list(viewer)).filter(({ mine, onHome }) => mine && onHome);
  }

  /** @throws {ShelfNotFound} */
  async get(id: number, viewer: Viewer): Promise<KeptShelf> {
    const row = await this.parts.records.find(id);
    if (!row || (row.user_id !== viewer.user.id && row.shared === 0)) throw new ShelfNotFound(id);
    return toShelf(row, viewer);
  }

  /** @throws {MayNotShare} @throws {TooManyShelves} @throws {UnknownFacet} */
  async create(description: ShelfDescription, viewer: Viewer): Promise<KeptShelf> {
    const { records, changed } = this.parts;
    if (description.shared) requireSharing(viewer);
    await this.#check(description.selection, viewer);
    if ((await records.countOf(viewer.user.id)) >= mostShelves) throw new TooManyShelves(mostShelves);
    const now = Date.now();
    const id = await records.add({
      user_id: viewer.user.id,
      name: description.name,
      selection: JSON.stringify(description.selection),
      sort: description.sort,
      shared: description.shared ? 1 : 0,
      on_home: description.onHome ? 1 : 0,
      created_at: now,
      changed_at: now,
    });
    changed(viewer.user.id, description.shared);
    return await this.get(id, viewer);
  }

  /** @throws {ShelfNotFound} @throws {NotYourShelf} @throws {MayNotShare} @throws {UnknownFacet} */
  async change(id: number, change: ShelfChange, viewer: Viewer): Promise<KeptShelf> {
    const shelf = await this.#own(id, viewer);
    if (change.shared === true) requireSharing(viewer);
    if (change.selection) await this.#check(change.selection, viewer);
    await this.parts.records.change(id, toColumns(change));
    this.parts.changed(viewer.user.id, shelf.shared || change.shared === true);
    return await this.get(id, viewer);
  }

  /** @throws {ShelfNotFound} @throws {NotYourShelf} */
  async remove(id: number, viewer: Viewer): Promise<void> {
    const shelf = await this.#own(id, viewer);
    await this.parts.records.remove(id);
    this.parts.changed(viewer.user.id, shelf.shared);
  }

  async #own(id: number, viewer: Viewer): Promise<KeptShelf> {
    const shelf = await this.get(id, viewer);
    if (!shelf.mine) throw new NotYourShelf(id);
    return shelf;
  }

  /** What can be kept is what can be asked. */
  async #check(selection: ChosenValues, viewer: Viewer): Promise<void> {
    await this.parts.questions.make(checkSelection(selection), viewer);
  }
}

function requireSharing(viewer: Viewer): void {
  if (!viewer.may("lists.share")) throw new MayNotShare();
}

function toColumns({ name, selection, sort, shared, onHome }: ShelfChange): SavedShelfChange {
  return {
    ...(name !== undefined && { name }),
    ...(selection && { selection: JSON.stringify(selection) }),
    ...(sort && { sort }),
    ...(shared !== undefined && { shared: shared ? (1 as const) : (0 as const) }),
    ...(onHome !== undefined && { on_home: onHome ? (1 as const) : (0 as const) }),
  };
}

function toShelf(row: SavedShelf, viewer: Viewer): KeptShelf {
  const mine = row.user_id === viewer.user.id;
  return {
    id: row.id,
    name: row.name,
    selection: keptSelectionSchema.parse(JSON.parse(row.selection)),
    sort: sorts.find((sort) => sort === row.sort) ?? "title",
    shared: row.shared === 1,
    onHome: mine && row.on_home === 1,
    mine,
    createdAt: new Date(row.created_at).toISOString(),
    changedAt: new Date(row.changed_at).toISOString(),
  };
}
