import type { ColumnValues } from "@longbox/sdk";
import type { Kysely } from "kysely";

/** An issue that the provider says comes out on a day. */
export interface ReleaseTable {
  /** The provider's id of the issue. */
  id: number;
  volume_id: number;
  volume_name: string;
  number: string;
  title: string | null;
  /** `2026-11-25`. */
  store_date: string;
  has_image: ColumnValues["flag"];
  /** 0: the provider lists it no longer for that day. It may list it for another, and then it is the same release. */
  listed: ColumnValues["flag"];
  first_seen: number;
  /** When anything of it changed last. */
  changed_at: number;
  /** How often it changed. */
  revision: number;
}

export interface ReleaseTables {
  release: ReleaseTable;
  /** Weeks that were asked for. */
  week: { week: string; asked_at: number };
  /** What the list of releases does not say of volumes. */
  volume: { id: number; publisher: string | null; publisher_key: string | null; asked_at: number };
  followed_publisher: { user_id: number; publisher_key: string; publisher: string };
  /** Which releases a user was told of. */
  told: { user_id: number; release_id: number };
  feed_key: { user_id: number; hash: string; made_at: number };
}

export type ReleaseDatabase = Kysely<ReleaseTables>;
