import { sqlMigration } from "@longbox/sdk";

export const reading = sqlMigration("0001-reading", [
  `CREATE TABLE progress (
    user_id INTEGER NOT NULL, issue_id INTEGER NOT NULL, series_id INTEGER NOT NULL,
    page INTEGER NOT NULL, pages INTEGER NOT NULL, furthest INTEGER NOT NULL,
    completed INTEGER NOT NULL, read_at INTEGER NOT NULL, finished_at INTEGER, times_finished INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, issue_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX progress_by_reading ON progress (user_id, completed, read_at)`,
  `CREATE INDEX progress_by_finish ON progress (user_id, finished_at)`,
  `CREATE INDEX progress_by_issue ON progress (issue_id)`,
  `CREATE TABLE bookmark (
    user_id INTEGER NOT NULL, issue_id INTEGER NOT NULL, page INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, issue_id, page)
  ) WITHOUT ROWID`,
  `CREATE INDEX bookmark_by_time ON bookmark (user_id, created_at)`,
  `CREATE TABLE later (
    user_id INTEGER NOT NULL, issue_id INTEGER NOT NULL, added_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, issue_id)
  ) WITHOUT ROWID`,
  `CREATE TABLE activity (
    user_id INTEGER NOT NULL, quarter INTEGER NOT NULL, issue_id INTEGER NOT NULL,
    pages INTEGER NOT NULL DEFAULT 0, finished INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, quarter, issue_id)
  ) WITHOUT ROWID`,
  `CREATE TABLE preference (
    user_id INTEGER NOT NULL, series_id INTEGER NOT NULL, mode TEXT, direction TEXT, fit TEXT,
    PRIMARY KEY (user_id, series_id)
  ) WITHOUT ROWID`,
]);
