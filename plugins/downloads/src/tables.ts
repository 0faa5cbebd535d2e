import type { Generated } from "kysely";
import type { ItemState } from "./queue/states.js";

/** Times are milliseconds since 1970 in UTC, switches are 0 or 1. */
export interface DownloadTables {
  item: ItemTable;
  history: HistoryTable;
  blocked: BlockedTable;
  result: ResultTable;
  tried: TriedTable;
  seen: { source_id: string; guid: string; at: number };
  leftover: LeftoverTable;
}

/** What names an issue in a row that outlives it. */
export interface NamedColumns {
  issue_id: number | null;
  series_id: number;
  series_title: string;
  number: string;
  cv_issue_id: number | null;
  /** The series is hidden from those who do not see restricted things. */
  restricted: 0 | 1;
}

/** One issue, or one pack of a series, on its way. */
export interface ItemTable extends NamedColumns {
  id: Generated<number>;
  kind: "issue" | "pack";
  /** Who asked; -1 where the schedule did. */
  user_id: number;
  state: ItemState;
  /** The state is not a final one: of one issue, and of one release, there is one open item. */
  open: 0 | 1;
  /** The files that the issue has are replaced. */
  replaces: 0 | 1;
  priority: number;
  position: number;
  /** A person paused it. */
  held: 0 | 1;
  /** Releases that were tried, and what was delayed for the present one. */
  attempts: number;
  delays: number;
  next_at: number;
  source_id: string | null;
  source_name: string | null;
  release_key: string | null;
  release_title: string | null;
  /** JSON of the release. Holds what the source needs to get it, which may be a key: never sent out. */
  release: string | null;
  client_id: string | null;
  /** Names the attempt at a client, and at `files.importing`. */
  grab_key: string | null;
  client_download: string | null;
  /** Since when the client does not know it, or is not there. */
  missing_since: number | null;
  /** When it came further last. */
  moved_at: number | null;
  /** What arrived, absolute. */
  path: string | null;
  total_bytes: number | null;
  /** The validator of the partial file: an ETag or a date. */
  validator: string | null;
  phase: string | null;
  error: string | null;
  queued_at: number;
  changed_at: number;
  ended_at: number | null;
}

export interface HistoryTable extends NamedColumns {
  id: Generated<number>;
  /** One row for each thing that happened, however often it is written. */
  event_key: string;
  outcome: "imported" | "failed";
  at: number;
  release: string;
  source: string;
  path: string | null;
  error: string | null;
}

export interface BlockedTable extends NamedColumns {
  id: Generated<number>;
  release_key: string;
  source: string;
  title: string;
  reason: string;
  created_at: number;
}

/** What a search found, for as long as a person may take it. */
export interface ResultTable {
  id: string;
  user_id: number;
  series_id: number;
  issue_id: number | null;
  source_id: string;
  source_name: string;
  release: string;
  is_pack: 0 | 1;
  created_at: number;
}

/** What the schedule did for an issue. */
export interface TriedTable {
  issue_id: number;
  tries: number;
  last_at: number;
  /** A person took it out of the queue: it is not searched for by itself again. */
  removed: 0 | 1;
}

/** A download that a client still has and nothing needs. */
export interface LeftoverTable {
  id: Generated<number>;
  client_id: string;
  grab_key: string;
  info_hash: string | null;
  client_download: string | null;
  delete_files: 0 | 1;
  tries: number;
  next_at: number;
}
