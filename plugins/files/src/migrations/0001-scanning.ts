import { sqlMigration } from "@longbox/sdk";

export const scanning = sqlMigration("0001-scanning", [
  `CREATE TABLE scanned_file (
    path TEXT PRIMARY KEY,
    library_id INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    modified_ms REAL NOT NULL,
    tags_ms REAL NOT NULL,
    fingerprint TEXT NOT NULL,
    format TEXT NOT NULL,
    tagged INTEGER NOT NULL,
    error TEXT,
    details TEXT,
    series_id INTEGER NOT NULL,
    issue_id INTEGER NOT NULL
  ) WITHOUT ROWID`,
  "CREATE INDEX scanned_file_by_library ON scanned_file (library_id)",
  "CREATE INDEX scanned_file_by_fingerprint ON scanned_file (fingerprint)",
  "CREATE INDEX scanned_file_by_format ON scanned_file (format, path)",
  "CREATE INDEX scanned_file_by_series ON scanned_file (series_id)",
  `CREATE TABLE scan_request (
    id INTEGER PRIMARY KEY,
    library_id INTEGER NOT NULL,
    scope TEXT NOT NULL,
    everything INTEGER NOT NULL,
    accepts_empty INTEGER NOT NULL,
    asked_at TEXT NOT NULL
  )`,
]);
