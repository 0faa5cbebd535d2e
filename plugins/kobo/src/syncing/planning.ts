import type { Selectable } from "kysely";
import type { KoboTables } from "../tables.js";

export type SentBook = Selectable<KoboTables["sent_book"]>;

/** A book that a device should have. */
export interface WantedBook {
  readonly issueId: number;
  readonly revision: string;
  readonly state: string;
}

/** What a device has to be told. */
export type Change =
  | { readonly kind: "new" | "changed" | "state"; readonly issueId: number; readonly wanted: WantedBook }
  | { readonly kind: "removed"; readonly issueId: number };

export interface Plan {
  readonly changes: readonly Change[];
  /** The device has confirmed that these are gone. */
  readonly settled: readonly number[];
}

/**
 * Compares what a device should have with what it was sent. What was sent after the last answer that the device has
 * read may never have arrived, and is sent again.
 * @param confirmed - the number of that answer
 */
export function planSync(wanted: readonly WantedBook[], sent: readonly SentBook[], confirmed: number): Plan {
  const rows = new Map(sent.map((row) => [row.issue_id, row]));
  const changes: Change[] = wanted.flatMap((book) => {
    const kind = kindOf(book, rows.get(book.issueId), confirmed);
    return kind === undefined ? [] : { kind, issueId: book.issueId, wanted: book };
  });
  const ids = new Set(wanted.map(({ issueId }) => issueId));
  const leftOut = sent.filter(({ issue_id }) => !ids.has(issue_id));
  const settled = leftOut.filter(
    ({ standing, last_sequence }) => standing === "declined" || (standing === "removed" && last_sequence <= confirmed),
  );
  const gone = new Set(settled);
  const removals = leftOut.filter((row) => !gone.has(row));
  return {
    changes: [...changes, ...removals.map(({ issue_id }) => ({ kind: "removed" as const, issueId: issue_id }))],
    settled: settled.map(({ issue_id }) => issue_id),
  };
}

function kindOf(
  book: WantedBook,
  row: SentBook | undefined,
  confirmed: number,
): Exclude<Change["kind"], "removed"> | undefined {
  if (row?.standing === "declined") return undefined;
  if (row === undefined || row.standing === "removed" || row.first_sequence > confirmed) return "new";
  if (row.revision !== book.revision || row.last_sequence > confirmed) return "changed";
  return row.state === book.state ? undefined : "state";
}
