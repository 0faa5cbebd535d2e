import type { Generated, Kysely, Transaction } from "kysely";

export type Flag = 0 | 1;
/** The library is searched first, then the provider is asked. */
export type Waiting = "library" | "provider";

export interface ListTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** The name, folded, to sort by. */
  name_key: string;
  public: Flag;
  /** The provider's story arc that the list was made of. */
  arc_id: number | null;
  created_at: string;
}

/** One item of a list. Besides the id, it stores a description for issues that the library does not have. */
export interface ItemTable {
  id: Generated<number>;
  list_id: number;
  /** Orders items and unmatched books of a list together; has gaps. */
  position: number;
  /** As clients know the issue: positive once the provider knows it, negative until then. */
  cv_issue_id: number;
  volume_id: number | null;
  series: string | null;
  number: string | null;
  /** What a list file calls the volume: nearly always the year in which the series began. */
  volume: string | null;
  year: string | null;
  title: string | null;
  cover_date: string | null;
  /** 0: the provider has not been asked what it is; 1: it has, or a file said it; 2: the provider does not know it. */
  described: number;
}

/** A book of a list file that was not matched. */
export interface UnmatchedTable {
  id: Generated<number>;
  list_id: number;
  position: number;
  series: string;
  /** The title of the series, folded. */
  series_key: string;
  number: string;
  volume: string;
  year: string;
  reason: string;
  /** The provider's ids, when the file names them. */
  cv_issue_id: number | null;
  volume_id: number | null;
  /** Where it has not been looked up yet. */
  waits_for: Waiting | null;
}

export interface ListsTables {
  list: ListTable;
  item: ItemTable;
  unmatched: UnmatchedTable;
}

export type ListsDatabase = Kysely<ListsTables>;
export type ListsTransaction = Transaction<ListsTables>;
