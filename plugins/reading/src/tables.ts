/** Times are milliseconds since 1970 in UTC, switches are 0 or 1, works are named by the collection's internal ids. */
export interface ReadingTables {
  progress: ProgressTable;
  device_place: DevicePlaceTable;
  history: HistoryTable;
  later: LaterTable;
}

/** One row for each user and work; it stays after an unread mark, to remember what was counted. */
export interface ProgressTable {
  user_id: number;
  issue_id: number;
  /** The series and library type at the last reading. They may be outdated and are only used for shelves and sums. */
  series_id: number;
  work_type: string;
  /** `page`, `locator` or `time`; `none` while the work counts as unread. */
  kind: string;
  /** The page, from 0, or the seconds; 0 for a locator. */
  place: number;
  fraction: number;
  device: string;
  placed_at: number;
  read_at: number;
  completed: 0 | 1;
  finished_at: number | null;
  times_finished: number;
  begun_at: number;
  went_back_at: number;
  went_back_from: number;
  counted_pages: number;
  counted_seconds: number;
  counted_at: number;
  counted_finish_at: number;
  pages: number | null;
  duration_seconds: number | null;
  locator: string | null;
  locator_fraction: number | null;
}

/** Where each device was last in each work; the position as JSON. */
export interface DevicePlaceTable {
  user_id: number;
  issue_id: number;
  device: string;
  position: string;
  at: number;
}

/** What a device read of a work within a quarter of an hour. */
export interface HistoryTable {
  user_id: number;
  /** When the quarter of an hour began. */
  quarter_at: number;
  issue_id: number;
  device: string;
  series_id: number;
  work_type: string;
  first_at: number;
  last_at: number;
  pages: number;
  seconds: number;
  finished: number;
}

export interface LaterTable {
  user_id: number;
  issue_id: number;
  added_at: number;
}
