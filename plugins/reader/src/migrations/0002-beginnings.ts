import { sqlMigration } from "@longbox/sdk";

export const beginnings = sqlMigration("0002-beginnings", [
  `CREATE TABLE beginning (
    user_id INTEGER NOT NULL, issue_id INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (user_id, issue_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX beginning_by_issue ON beginning (issue_id)`,
]);
