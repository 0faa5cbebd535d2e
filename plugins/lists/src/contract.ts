import { contract, type Releasable, type Viewer } from "@longbox/sdk";

/** A list as one viewer sees it; what is hidden from that viewer is not counted. */
export interface ReadingList {
  readonly id: number;
  readonly name: string;
  readonly public: boolean;
  readonly mine: boolean;
  readonly createdAt: string;
  readonly items: number;
  readonly owned: number;
}

/** An issue of a list. */
export interface ReadingListItem {
  /** Counted from 1. */
  readonly position: number;
  /** As clients know the issue. */
  readonly cvIssueId: number;
  /** The collection's internal id, when the library knows the issue. */
  readonly issueId: number | undefined;
  readonly series: string | undefined;
  readonly number: string | undefined;
  readonly owned: boolean;
}

/** Reading lists: a viewer's own, and those that others made public. */
export interface ListsContract {
  /** The viewer's own first, then public ones of others, each by name. */
  listLists(viewer: Viewer): Promise<readonly ReadingList[]>;
  /** Undefined when there is none, or when it is hidden from the viewer. */
  findList(listId: number, viewer: Viewer): Promise<ReadingList | undefined>;
  /** Every issue in the list's order. @throws {NotFound} `lists/list-not-found` */
  listItems(listId: number, viewer: Viewer): Promise<readonly ReadingListItem[]>;
  onListsChanged(listener: (listIds: readonly number[]) => void): Releasable;
}

export const Lists = contract<ListsContract>("lists", "1.0.0");
