import type { Generated, Kysely } from "kysely";
import { token } from "../injection.js";

/** Times are ISO 8601 in UTC. */
export interface AccountTable {
  id: Generated<number>;
  username: string;
  /** The name without regard to case: what is unique. */
  username_key: string;
  email: string | null;
  /** Null for an account that only signs in elsewhere. */
  password: string | null;
  role: string;
  active: 0 | 1;
  hide_mature: 0 | 1;
  created_at: string;
  seen_at: string | null;
  /** The tag of the language in which the person reads; null while it is not known. */
  language: string | null;
}

export interface SessionTable {
  id: Generated<number>;
  account_id: number;
  token_hash: string;
  created_at: string;
  seen_at: string;
  expires_at: string;
}

export interface ApiKeyTable {
  account_id: number;
  key_hash: string;
  prefix: string;
  created_at: string;
  used_at: string | null;
}

export interface RoleTable {
  name: string;
  label: string;
  /** A JSON array of keys. */
  permissions: string;
}

/** An account that an outside provider vouches for. */
export interface IdentityTable {
  provider: string;
  subject: string;
  account_id: number;
}

/** What plugins must be told of accounts, kept until each has been. */
export interface AccountNoticeTable {
  id: Generated<number>;
  kind: "deleted" | "adopted";
  account_id: number;
  created_at: string;
}

export interface NoticeCursorTable {
  plugin: string;
  kind: "deleted" | "adopted";
  notice_id: number;
}

/** Failed attempts to sign in, by account and address; times are milliseconds since 1970. */
export interface FailureCountTable {
  id: string;
  kind: "pair" | "address" | "name" | "device";
  name_hash: string;
  place: string;
  failures: number;
  expires_at: number;
}

/** From where a name has been used to sign in. */
export interface KnownDeviceTable {
  name_hash: string;
  device_hash: string;
  seen_at: number;
}

export interface AccessTables {
  failure_count: FailureCountTable;
  known_device: KnownDeviceTable;
  account: AccountTable;
  session: SessionTable;
  api_key: ApiKeyTable;
  role: RoleTable;
  identity: IdentityTable;
  account_notice: AccountNoticeTable;
  notice_cursor: NoticeCursorTable;
}

/** The kernel's own database, migrated with `accessMigrations`. */
export const AccessDatabase = token<Kysely<AccessTables>>("the database of accounts");
