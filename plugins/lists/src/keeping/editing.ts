import { systemViewer, type PluginSettings, type Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import { BadField, IssueNotFound, NotInList, TooMany } from "../errors.js";
import type { ListsSettings } from "../settings.js";
import type { Changes } from "./changes.js";
import type { Entry, ListRecords, NewItem } from "./list-records.js";
import type { ViewedItem } from "./library-view.js";
import type { ReadingLists } from "./reading-lists.js";

/** A bound for what one list can hold. */
const mostItems = 20_000;

export interface EditingParts {
  readonly records: ListRecords;
  readonly lists: ReadingLists;
  readonly library: CollectionContract;
  readonly changes: Changes;
  readonly settings: PluginSettings<ListsSettings>;
}

export interface NewList {
  readonly name: string;
  readonly arcId?: number | undefined;
  readonly entries: readonly Entry[];
}

/** Changes of lists by their owners. */
export class Editing {
  readonly #parts: EditingParts;

  constructor(parts: EditingParts) {
    this.#parts = parts;
  }

  /** @returns the id of the new list */
  async create({ name, arcId, entries }: NewList, viewer: Viewer): Promise<number> {
    const { records, changes } = this.#parts;
    if (entries.length > mostItems) throw new TooMany(`A list holds at most ${mostItems} items.`);
    if ((await this.listsLeft(viewer)) === 0) {
      const { listsPerUser } = this.#parts.settings.current;
      throw new TooMany(`You already have ${listsPerUser} lists, which is the maximum on this server.`);
    }
    const list = { user_id: viewer.user.id, name, public: 0 as const, arc_id: arcId ?? null };
    const id = await records.create({ ...list, created_at: new Date().toISOString() }, entries);
    changes.announce({ id, ...list });
    return id;
  }

  /** How many more lists the viewer can keep. */
  async listsLeft(viewer: Viewer): Promise<number> {
    const count = await this.#parts.records.countOf(viewer.user.id);
    return Math.max(0, this.#parts.settings.current.listsPerUser - count);
  }

  async createOf(name: string, cvIssueIds: readonly number[], viewer: Viewer): Promise<number> {
    await this.#check(cvIssueIds, viewer);
    return await this.create({ name, entries: [...new Set(cvIssueIds)].map((id) => ({ item: bareItem(id) })) }, viewer);
  }

  async rename(id: number, name: string, viewer: Viewer): Promise<void> {
    const list = await this.#parts.lists.own(id, viewer);
    await this.#parts.records.change(id, { name });
    this.#parts.changes.announce(list);
  }

  async publish(id: number, isPublic: boolean, viewer: Viewer): Promise<void> {
    await this.#parts.lists.own(id, viewer);
    await this.#parts.records.change(id, { public: isPublic ? 1 : 0 });
    this.#parts.changes.announceToAll(id);
  }

  async remove(id: number, viewer: Viewer): Promise<void> {
    const list = await this.#parts.lists.own(id, viewer);
    await this.#parts.records.remove(id);
    this.#parts.changes.announce(list);
  }

  /** Appends the issues that are not in the list yet. @returns how many were added */
  async add(id: number, cvIssueIds: readonly number[], viewer: Viewer): Promise<number> {
    const { lists, records, changes } = this.#parts;
    const record = await lists.own(id, viewer);
    const current = await this.#check(cvIssueIds, viewer);
    const items = await lists.items(record, systemViewer);
    const present = new Set(items.flatMap(idsOf));
    const wanted = [...new Set(cvIssueIds.map((cvIssueId) => current.get(cvIssueId) ?? cvIssueId))].filter(
      (cvIssueId) => !present.has(cvIssueId),
    );
    if (items.length + wanted.length > mostItems) throw new TooMany(`A list holds at most ${mostItems} items.`);
    await records.append(
      id,
      wanted.map((cvIssueId) => ({ item: bareItem(cvIssueId) })),
    );
    if (wanted.length > 0) changes.announce(record);
    return wanted.length;
  }

  /**
   * Removes an item.
   * @param taken - `position` says which one, counted from 1 as the viewer sees the list, when the issue stands there
   * several times; all of them without
   * @returns how many items were removed
   */
  async take(
    id: number,
    { cvIssueId, position }: { readonly cvIssueId: number; readonly position: number | undefined },
    viewer: Viewer,
  ): Promise<number> {
    const { lists, records, changes } = this.#parts;
    const list = await lists.own(id, viewer);
    const items = await lists.items(list, viewer);
    const gone = items.filter(
      (item, index) => idsOf(item).includes(cvIssueId) && (position === undefined || position === index + 1),
    );
    if (gone.length === 0) throw new NotInList(cvIssueId);
    await records.removeItems(
      id,
      gone.map(({ record }) => record.id),
    );
    changes.announce(list);
    return gone.length;
  }

  /**
   * Puts what the viewer sees into a new order; hidden items and unmatched books keep their places.
   * @throws {BadField} when it is no permutation
   */
  async reorder(id: number, order: readonly number[], viewer: Viewer): Promise<void> {
    const { lists, records, changes } = this.#parts;
    const list = await lists.own(id, viewer);
    const items = await lists.items(list, viewer);
    const waiting = new Map<number, ViewedItem[]>();
    for (const item of items)
      for (const known of idsOf(item)) waiting.set(known, [...(waiting.get(known) ?? []), item]);
    const sorted = order.map((cvIssueId) => {
      const next = waiting.get(cvIssueId)?.[0];
      if (!next)
        throw new BadField(
          "order",
          `must contain every item of the list as often as the list does; the count of ${cvIssueId} differs`,
        );
      for (const known of idsOf(next))
        waiting.set(
          known,
          (waiting.get(known) ?? []).filter((item) => item !== next),
        );
      return next.record;
    });
    if (sorted.length !== items.length)
      throw new BadField("order", `must contain every item of the list: ${items.length}, not ${sorted.length}`);
    const places = items.map(({ record }) => record.position);
    await records.place(
      id,
      sorted.map((record, index) => ({ id: record.id, position: places[index] as number })),
    );
    changes.announce(list);
  }

  async dismiss(id: number, viewer: Viewer): Promise<number> {
    const list = await this.#parts.lists.own(id, viewer);
    const removed = await this.#parts.records.removeUnmatched(id);
    if (removed > 0) this.#parts.changes.announce(list);
    return removed;
  }

  /**
   * The current ids of the issues.
   * @throws {IssueNotFound} for hidden issues, and for negative ids that do not exist
   */
  async #check(cvIssueIds: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, number>> {
    const found = await this.#parts.library.findIssuesByClientIds(cvIssueIds, systemViewer);
    const known = new Map(found.map(({ cvIssueId, issue }) => [cvIssueId, issue]));
    for (const cvIssueId of cvIssueIds) {
      const issue = known.get(cvIssueId);
      if (issue ? issue.restricted && !viewer.seesRestricted : cvIssueId < 0) throw new IssueNotFound(cvIssueId);
    }
    return new Map(found.map(({ cvIssueId, issue }) => [cvIssueId, issue.cvIssueId]));
  }
}

/** Every id that a client may know the item by. */
function idsOf({ record, issue }: ViewedItem): number[] {
  return [...new Set([record.cv_issue_id, ...(issue ? [issue.cvIssueId, -issue.id] : [])])];
}

export function bareItem(cvIssueId: number): NewItem {
  return {
    cv_issue_id: cvIssueId,
    volume_id: null,
    series: null,
    number: null,
    volume: null,
    year: null,
    title: null,
    cover_date: null,
    described: 0,
  };
}
