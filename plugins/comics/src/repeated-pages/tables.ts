import type { Kysely, Transaction } from "kysely";

export interface HashedFileTable {
  path: string;
  /** Size and time of change by the last scan: another one means that the pages are hashed again. */
  stamp: string;
  /** The file's validator when it was read. */
  validator: string;
  /** How many pages the file had. */
  pages: number;
  issue_id: number;
  series_id: number;
}

export interface PageHashTable {
  path: string;
  /** Counted from 0. */
  page: number;
  /** Bytes of the page. */
  size: number;
  /** 32 hexadecimal digits. */
  hash: string;
}

export interface DecidedPictureTable {
  hash: string;
  state: "hidden" | "kept";
  /** Milliseconds since 1970. */
  decided_at: number;
}

export interface HiddenPageTable {
  path: string;
  page: number;
  size: number;
  /** How many pages the file had: another number means another file. */
  pages: number;
  validator: string;
}

export interface RepeatedPagesTables {
  hashed_file: HashedFileTable;
  page_hash: PageHashTable;
  decided_picture: DecidedPictureTable;
  hidden_page: HiddenPageTable;
}

export type RepeatedPagesDatabase = Kysely<RepeatedPagesTables>;
export type RepeatedPagesTransaction = Transaction<RepeatedPagesTables>;
