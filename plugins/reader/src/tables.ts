/** Times are milliseconds since 1970 in UTC, issues are named by the collection's own ids. */
export interface ReaderTables {
  bookmark: BookmarkTable;
  note: NoteTable;
  opinion: OpinionTable;
  preference: PreferenceTable;
}

export interface BookmarkTable {
  user_id: number;
  issue_id: number;
  page: number;
  created_at: number;
}

/** What a user wrote about a page. */
export interface NoteTable extends BookmarkTable {
  text: string;
}

/** What a user thinks of an issue. */
export interface OpinionTable {
  user_id: number;
  issue_id: number;
  /** 1 to 5. */
  rating: number | null;
  note: string;
  changed_at: number;
}

/** How a user reads a series; series 0 stands for every series without a row of its own. */
export interface PreferenceTable {
  user_id: number;
  series_id: number;
  /** An issue of the series: it says which series it is when the two turn out to be others. */
  issue_id: number | null;
  mode: string | null;
  direction: string | null;
  fit: string | null;
}
