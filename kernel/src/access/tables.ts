import type { Generated } from "kysely";

/** Booleans are 0 and 1, times are ISO 8601 in UTC. */
export interface AccountTable {
  id: Generated<number>;
  username: string;
  /** The name without regard to case: what is unique. */
  username_key: string;
  email: string | null;
  /** Null for an account that only signs in elsewhere. */
  password: string | null;
  role: string;
  active: number;
  hide_mature: number;
  created_at: string;
  seen_at: string | null;
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

/** An account that somebody outside vouches for. */
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

export interface AccessTables {
  account: AccountTable;
  session: SessionTable;
  api_key: ApiKeyTable;
  role: RoleTable;
  identity: IdentityTable;
  account_notice: AccountNoticeTable;
  notice_cursor: NoticeCursorTable;
}
