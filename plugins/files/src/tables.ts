import type { Generated, Kysely } from "kysely";

export interface ScannedFileTable {
  path: string;
  library_id: number;
  size_bytes: number;
  modified_ms: number;
  /** When the tags beside the file were changed; 0 without any. */
  tags_ms: number;
  fingerprint: string;
  /** An archive's kind, or `unknown`. */
  kind: string;
  pages: number;
  error: string | null;
  series_id: number;
  issue_id: number;
}

export interface ScanRequestTable {
  id: Generated<number>;
  library_id: number;
  /** A JSON array of absolute paths. */
  scope: string;
  everything: number;
  accepts_empty: number;
  asked_at: string;
}

export interface FilesTables {
  scanned_file: ScannedFileTable;
  scan_request: ScanRequestTable;
}

export type FilesDatabase = Kysely<FilesTables>;
