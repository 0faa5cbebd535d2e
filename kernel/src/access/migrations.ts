import { sqlMigration, type Migration } from "@longbox/sdk";

/** The tables of accounts, in the kernel's own database. */
export const accessMigrations: readonly Migration[] = [
  sqlMigration("0001-access", [
    `CREATE TABLE account (
       id INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT NOT NULL, username_key TEXT NOT NULL UNIQUE, email TEXT, password TEXT,
       role TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1, hide_mature INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL, seen_at TEXT)`,
    `CREATE INDEX account_role ON account (role)`,
    `CREATE TABLE session (
       id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
       token_hash TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, seen_at TEXT NOT NULL, expires_at TEXT NOT NULL)`,
    `CREATE INDEX session_account ON session (account_id)`,
    `CREATE INDEX session_expiry ON session (expires_at)`,
    `CREATE TABLE api_key (
       account_id INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
       key_hash TEXT NOT NULL UNIQUE, prefix TEXT NOT NULL, created_at TEXT NOT NULL, used_at TEXT)`,
    `CREATE TABLE role (name TEXT PRIMARY KEY, label TEXT NOT NULL, permissions TEXT NOT NULL)`,
    `CREATE TABLE identity (
       provider TEXT NOT NULL, subject TEXT NOT NULL, account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
       PRIMARY KEY (provider, subject))`,
    `CREATE INDEX identity_account ON identity (account_id)`,
    `CREATE TABLE account_notice (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, account_id INTEGER NOT NULL, created_at TEXT NOT NULL)`,
    `CREATE TABLE notice_cursor (plugin TEXT NOT NULL, kind TEXT NOT NULL, notice_id INTEGER NOT NULL, PRIMARY KEY (plugin, kind))`,
  ]),
];
