import type { Generated } from "kysely";

/** Times are milliseconds since 1970 in UTC; books are named by the collection's own issue ids. */
export interface BookTables {
  bookmark: BookmarkTable;
  place: PlaceTable;
  remote_book: RemoteBookTable;
}

/** A bookmark, a highlight or a note of a user. */
export interface BookmarkTable {
  id: Generated<number>;
  user_id: number;
  issue_id: number;
  locator: string;
  fraction: number;
  note: string | null;
  color: string | null;
  text: string | null;
  created_at: number;
}

/** What a reading program said of its last position beyond what `reading` keeps. */
export interface PlaceTable {
  user_id: number;
  issue_id: number;
  /** Of the position that this is about. */
  locator: string;
  chapter: string | null;
  page: number | null;
  pages: number | null;
}

/** A book that another server holds, by the path under which the collection has it. */
export interface RemoteBookTable {
  path: string;
  /** The plugin that adds the source, the source's id there, and the book's id at the source. */
  plugin: string;
  source: string;
  book_id: string;
  format: string;
  version: string;
  /** Bytes; 0 when it is not known. */
  size: number;
  /** The id of its cover at the source. */
  cover: string | null;
}
