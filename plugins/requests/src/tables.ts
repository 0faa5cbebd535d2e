import type { Generated } from "kysely";

export type RequestState = "pending" | "approved" | "declined" | "withdrawn" | "fulfilled";
export type RequestKind = "comic" | "ebook" | "audiobook";

/** Times are milliseconds since 1970 in UTC, switches are 0 or 1. */
export interface RequestTables {
  request: RequestTable;
  vote: { request_id: number; user_id: number };
}

export interface RequestTable {
  id: Generated<number>;
  kind: string;
  state: string;
  /** Pending or approved: of one thing there is only one open request. */
  open: 0 | 1;
  /** What the source calls it; of comics the provider's volume. */
  external_id: string;
  title: string;
  year: number | null;
  publisher: string | null;
  /** JSON: a list of names. */
  authors: string;
  image: string | null;
  note: string;
  user_id: number;
  created_at: number;
  decided_by: number | null;
  decided_at: number | null;
  reason: string | null;
  /** Whether what was approved is downloaded, too; decided, and not known before. */
  download: 0 | 1;
  /** The series that came of it; null until it was added. */
  series_id: number | null;
}
