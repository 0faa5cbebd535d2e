import type { Generated, Kysely } from "kysely";

export interface ScannedFileTable {
  path: string;
  library_id: number;
  size_bytes: number;
  modified_ms: number;
  /** When the companions beside the file were changed; 0 without any. */
  tags_ms: number;
  fingerprint: string;
  /** The format's id, or `none: …` with the formats that there were when none could read it. */
  format: string;
  /** 0 or 1. */
  tagged: 0 | 1;
  error: string | null;
  /** JSON that the format keeps. */
  details: string | null;
  series_id: number;
  issue_id: number;
  /** Why the name was read so, where another reading is nearly as likely: a JSON array. */
  doubts: string | null;
  /** What devices call it; null before it was taken, empty when the contents could not be read, as of a folder. */
  partial_md5: string | null;
  name_md5: string | null;
}

/** A row with what a person has said of it. */
export interface ReviewedFileTable extends ScannedFileTable {
  /** The doubts that a person has settled: new ones are shown again. */
  doubts_settled: Generated<string | null>;
}

/** Files that scans ignored. */
export interface IgnoredPathTable {
  path: string;
  library_id: number;
  reason: string;
}

export interface MoveBatchTable {
  id: Generated<number>;
  /** `refile`, `undo`, `import` or `cleanup`. */
  what: string;
  /** `running`, `done` or `undone`. */
  state: string;
  started_at: string;
}

export interface MoveTable {
  batch_id: number;
  position: number;
  from_path: string;
  to_path: string;
  /** `planned`, `done` or `failed`. */
  state: string;
  error: string | null;
}

export interface ImportCandidateTable {
  id: Generated<number>;
  folder: string;
  name: string;
  year: number | null;
  publisher: string | null;
  /** A JSON array. */
  files: string;
  confidence: string;
  status: string;
  /** A person chose the match. */
  chosen: 0 | 1;
  /**
   * 1 when another plugin handed the files over: they lie wherever they lie, and looking elsewhere does not drop them.
   */
  is_handed_over: Generated<0 | 1>;
  /** JSON. */
  matched_to: string | null;
  reasons: string;
  found_at: string;
}

/** What a file was before it was rewritten, renamed, replaced or removed, by what devices call it. */
export interface FormerFileTable {
  /** Where the file lies, or lay last. */
  path: string;
  /** Empty when the contents could not be read. */
  partial_md5: string;
  name_md5: string;
  issue_id: number;
  /** Milliseconds since 1970; at the latest when something else took its place. */
  seen_at: number;
}

export interface PlacementTable {
  key: string;
  path: string;
  mode: string;
  /** The issue that was asked for. */
  issue_id: number | null;
  /** `staging`, `moving`, `placed` (and not known to the collection yet) or `done`. */
  state: string;
  /** The copy on the library's disk, in its trash until it is moved to its goal. */
  staged: string | null;
  goal: string | null;
  library_id: number | null;
  batch_id: number | null;
  /** A JSON array: where the replaced files lie. */
  replaced: string;
  series_id: number | null;
  placed_issue_id: number | null;
  /** Milliseconds since 1970. */
  begun_at: number;
}

export interface FilesTables {
  placement: PlacementTable;
  former_file: FormerFileTable;
  move_batch: MoveBatchTable;
  move: MoveTable;
  /** Files that are being written beside others; one that is found after a crash is removed. */
  unfinished_file: { path: string };
  import_candidate: ImportCandidateTable;
  scanned_file: ReviewedFileTable;
  ignored_path: IgnoredPathTable;
  /** Issues of which a person wants all files, with a digest of those. */
  kept_copies: { issue_id: number; files: string };
}

export type FilesDatabase = Kysely<FilesTables>;
