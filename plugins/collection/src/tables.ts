import type { Generated, Kysely, Transaction } from "kysely";

/** 0 or 1. */
export type Flag = number;

export interface LibraryTable {
  id: number;
  name: string;
  type: string;
  root_folder: string;
  folder_pattern: string;
  restricted: Flag;
  sort_order: number;
  tag_placement: string;
  created_at: string;
}

export interface SeriesTable {
  id: number;
  cv_id: number | null;
  title: string;
  /** What `foldTitle` of the SDK makes of the title. */
  title_key: string;
  /** What `titleOrder` makes of the key: titles are sorted by it. */
  title_order: string;
  publisher: string | null;
  year: number | null;
  description: string | null;
  url: string | null;
  /** A JSON array of texts. */
  aliases: string;
  type: string;
  library_id: number | null;
  /** `tracked`; `untracked` by a person; `vanished` when the last file of a series that only a scan knew is gone. */
  state: string;
  /** `scan` or `provider`. */
  origin: string;
  /** A person chose the volume: ids inside files do not overrule that. */
  pointed_by_hand: Flag;
  restricted: Flag;
  /** The series or its library is restricted. */
  hidden: Flag;
  monitor: string;
  monitor_from: number | null;
  status: string;
  path: string | null;
  pinned: Flag;
  added_at: string;
  refreshed_at: string | null;
  cover_issue_id: number | null;
  /** The issue whose cover a person chose. It is shown while the issue is there. */
  chosen_cover_id: number | null;
  /** See series-details.ts: a JSON array of fields that a person wrote. */
  locked: string;
  latest: string | null;
  total: number;
  owned: number;
  missing: number;
  /** Numbers missing between those that are owned, of a series without a volume. */
  gaps: number;
  wanted: number;
  untagged: number;
  corrupt: number;
  unlinked: number;
  collected: number;
  files: number;
  size: number;
  /** See series-class.ts. */
  class: number;
}

export interface IssueTable {
  id: number;
  series_id: number;
  cv_issue_id: number | null;
  number: string;
  /** See issue-number.ts: sorts naturally, and is the same for the same number of the same kind. */
  sort_key: string;
  value: number | null;
  kind: string;
  title: string | null;
  /** See issue-titles.ts. */
  title_words: string | null;
  cover_date: string | null;
  store_date: string | null;
  /** 0: only remembered, so that the same number gets the same id back when its file returns. */
  present: Flag;
  /** The provider lists it. */
  listed: Flag;
  /** The provider's full description is here. */
  described: Flag;
  owned: Flag;
  corrupt: Flag;
  tagged: Flag;
  pages: number;
  /** 1 wanted by hand, 0 refused by hand, null: as the series is monitored. */
  pick: number | null;
  pick_why: string | null;
  pick_reason: string | null;
  wanted: Flag;
  /** How long it plays; null where it is not measured in time. */
  seconds: number | null;
  /** A BCP 47 tag. */
  language: string | null;
  added_at: string;
  owned_at: string | null;
  /** See issue-editing.ts: JSON of what a person wrote. */
  edits: string | null;
  /** The page that a person chose as cover, from 0. */
  cover_page: number | null;
}

export interface IssueDetailTable {
  issue_id: number;
  description: string | null;
  credits: string;
  characters: string;
  teams: string;
  locations: string;
  arcs: string;
  subjects: string;
  url: string | null;
  /** As the tags say it: `Teen`, `Mature 17+`. */
  age_rating: string | null;
}

export interface FileTable {
  id: number;
  path: string;
  name: string;
  library_id: number | null;
  series_id: number;
  issue_id: number;
  size: number;
  modified_at: string;
  pages: number;
  /** Of {@link pages}: those that readers do not show. */
  hidden_pages: number;
  /** The id of its format. */
  format: string | null;
  seconds: number | null;
  valid: Flag;
  tagged: Flag;
  error: string | null;
  assigned: Flag;
  /** The file's own metadata: it is assigned by it again when a manual assignment is removed. */
  read_number: string;
  read_kind: string;
  read_cv_issue_id: number | null;
  added_at: string;
}

/** What others call an issue or a series. */
export interface ExternalIdTable {
  subject: string;
  subject_id: number;
  scheme: string;
  value: string;
}

/** A table of which the database fills these columns when a new row leaves them out. */
type WithDefaults<Row, Name extends keyof Row> = Omit<Row, Name> & { [Column in Name]: Generated<Row[Column]> };

type SeriesDefaults =
  | "aliases"
  | "state"
  | "pointed_by_hand"
  | "restricted"
  | "hidden"
  | "monitor"
  | "status"
  | "pinned"
  | "total"
  | "owned"
  | "missing"
  | "gaps"
  | "wanted"
  | "untagged"
  | "corrupt"
  | "unlinked"
  | "collected"
  | "files"
  | "size"
  | "class"
  | "locked";
type IssueDefaults = "present" | "listed" | "described" | "owned" | "corrupt" | "tagged" | "pages" | "wanted";

export interface CollectionTables {
  external_id: ExternalIdTable;
  work_issue: { issue_id: number; work_id: number };
  work_refusal: { issue_id: number; other_id: number };
  identity: { name: string; next: number };
  library: LibraryTable;
  series: WithDefaults<SeriesTable, SeriesDefaults>;
  series_source: { folder: string; name_key: string; series_id: number };
  series_creator: { series_id: number; name: string };
  series_merge: { from_id: number; to_id: number };
  issue: WithDefaults<IssueTable, IssueDefaults>;
  issue_detail: WithDefaults<IssueDetailTable, "age_rating">;
  issue_merge: { from_id: number; to_id: number };
  file: FileTable;
  assignment: { path: string; series_id: number; issue_id: number };
  follow: { user_id: number; series_id: number; followed_at: string };
  series_join: SeriesJoinTable;
  /** Pairs that a person said are two series, the smaller id first. */
  series_apart: { one_id: number; other_id: number };
}

/** A series that a person joined with another one. */
export interface SeriesJoinTable {
  id: number;
  from_id: number;
  to_id: number;
  /** The title of the series that was joined. */
  title: string;
  joined_at: string;
  /** JSON: see `joining/before-joining.ts`. */
  before: string;
}

export type CollectionDatabase = Kysely<CollectionTables>;
export type CollectionTransaction = Transaction<CollectionTables>;

/** Not every engine stores booleans. */
export const flag = (value: boolean): Flag => (value ? 1 : 0);

/**
 * Reserves ids for new rows. Our own counter, since an id must never be given twice, even after its row is gone.
 * @returns the first of `count` ids that follow each other
 */
export async function reserveIds(
  transaction: CollectionTransaction,
  name: "library" | "series" | "issue" | "file" | "work" | "series_join",
  count: number,
): Promise<number> {
  const row = await transaction
    .updateTable("identity")
    .set((eb) => ({ next: eb("next", "+", count) }))
    .where("name", "=", name)
    .returning("next")
    .executeTakeFirstOrThrow();
  return row.next - count;
}
