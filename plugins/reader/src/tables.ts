/** Times are milliseconds since 1970 in UTC, switches are 0 or 1, issues are named by the collection's own ids. */
export interface ReaderTables {
  progress: ProgressTable;
  bookmark: BookmarkTable;
  later: LaterTable;
  activity: ActivityTable;
  preference: PreferenceTable;
  beginning: BeginningTable;
}

export interface ProgressTable {
  user_id: number;
  issue_id: number;
  /** The series at the time of writing: a hint for shelves, never a fact. */
  series_id: number;
  page: number;
  pages: number;
  /** One more than the furthest page that was counted as read since the issue was begun. */
  furthest: number;
  completed: number;
  read_at: number;
  /** When the issue was last finished; kept while it is read again. */
  finished_at: number | null;
  times_finished: number;
}

export interface BookmarkTable {
  user_id: number;
  issue_id: number;
  page: number;
  created_at: number;
}

export interface LaterTable {
  user_id: number;
  issue_id: number;
  added_at: number;
}

/** What was read within a quarter of an hour: every time zone begins its days on one. */
export interface ActivityTable {
  user_id: number;
  quarter: number;
  issue_id: number;
  pages: number;
  finished: number;
}

/** Since when the present reading of an issue counts: it was begun anew or marked as unread then. */
export interface BeginningTable {
  user_id: number;
  issue_id: number;
  at: number;
}

/** How a user reads a series; series 0 stands for every series without a row of its own. */
export interface PreferenceTable {
  user_id: number;
  series_id: number;
  mode: string | null;
  direction: string | null;
  fit: string | null;
}
