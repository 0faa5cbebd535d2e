import type { Kysely } from "kysely";

/** How far the matching of a book is. */
export type BookState = "matched" | "review" | "unknown" | "dismissed";

export interface BookTable {
  issue_id: number;
  state: BookState;
  /** `OL1W`, of a book that is matched. */
  work_id: string | null;
  /** Of the work or the edition. */
  cover_id: number | null;
  /** JSON: why it was matched. */
  reasons: string;
  /** JSON: the candidates that a person may choose from. */
  candidates: string;
  /** JSON: what was known of the book before it was matched. */
  former: string | null;
  by_hand: number;
  /** What the search was made with: it is made again once that is different. */
  evidence: string;
  looked_at: number;
}

export interface OpenLibraryTables {
  answer: { key: string; body: string; fetched_at: number };
  book: BookTable;
  /** The covers of works that were found; `work` as {@link keyFor} makes it for the viewer who found them. */
  work_cover: { work: string; cover_id: number };
}
export type OpenLibraryDatabase = Kysely<OpenLibraryTables>;
