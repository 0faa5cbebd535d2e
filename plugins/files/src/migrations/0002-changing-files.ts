import { sqlMigration } from "@longbox/sdk";

export const changingFiles = sqlMigration("0002-changing-files", [
  `CREATE TABLE move_batch (
    id INTEGER PRIMARY KEY,
    what TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at TEXT NOT NULL
  )`,
  `CREATE TABLE move (
    batch_id INTEGER NOT NULL REFERENCES move_batch (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    from_path TEXT NOT NULL,
    to_path TEXT NOT NULL,
    state TEXT NOT NULL,
    error TEXT,
    PRIMARY KEY (batch_id, position)
  ) WITHOUT ROWID`,
  "CREATE TABLE unfinished_file (path TEXT PRIMARY KEY) WITHOUT ROWID",
  `CREATE TABLE import_candidate (
    id INTEGER PRIMARY KEY,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    year INTEGER,
    publisher TEXT,
    files TEXT NOT NULL,
    confidence TEXT NOT NULL,
    status TEXT NOT NULL,
    chosen INTEGER NOT NULL,
    match TEXT,
    reasons TEXT NOT NULL,
    found_at TEXT NOT NULL,
    UNIQUE (folder, name)
  )`,
]);
