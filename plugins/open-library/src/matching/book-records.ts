import type { BeforeWork } from "@longbox/collection/contract";
import { z } from "zod";
import type { BookState, BookTable, OpenLibraryDatabase } from "../tables.js";
import type { FoundWork } from "../works.js";
import type { Judgement } from "./evidence.js";

/** A work that may be the book, with why. */
export interface Candidate {
  readonly work: FoundWork;
  readonly judgement: Judgement;
}

/** What is kept of a candidate for the person who chooses. */
const keptCandidateSchema = z.object({
  workId: z.string(),
  editionId: z.string().optional(),
  title: z.string(),
  authors: z.array(z.string()),
  year: z.number().optional(),
  languages: z.array(z.string()),
  series: z.array(z.object({ name: z.string(), number: z.string() })),
  coverId: z.number().optional(),
  score: z.number(),
  reasons: z.array(z.string()),
});
export type KeptCandidate = z.output<typeof keptCandidateSchema>;
const keptCandidates = z.array(keptCandidateSchema);
const texts = z.array(z.string());

export interface BookRecord {
  readonly issueId: number;
  readonly state: BookState;
  readonly workId: string | undefined;
  readonly coverId: number | undefined;
  readonly reasons: readonly string[];
  readonly candidates: readonly KeptCandidate[];
  readonly former: BeforeWork | undefined;
  readonly byHand: boolean;
  readonly evidence: string;
  readonly lookedAt: number;
}

const shownLanguages = 8;

export function keptOf({ work, judgement }: Candidate): KeptCandidate {
  const { id: workId, edition, title, authors, year, languages, series, coverId } = work;
  const { score, reasons } = judgement;
  return {
    workId,
    editionId: edition?.id,
    title,
    authors: [...authors],
    year,
    languages: languages.slice(0, shownLanguages),
    series: [...series],
    coverId: coverId ?? edition?.coverId,
    score,
    reasons: [...reasons],
  };
}

/** How far the matching of each book is. */
export class BookRecords {
  constructor(private readonly database: OpenLibraryDatabase) {}

  async find(issueIds: readonly number[]): Promise<Map<number, BookRecord>> {
    const found = new Map<number, BookRecord>();
    for (let start = 0; start < issueIds.length; start += 500) {
      const some = issueIds.slice(start, start + 500);
      const rows = await this.database.selectFrom("book").selectAll().where("issue_id", "in", some).execute();
      for (const row of rows) found.set(row.issue_id, toRecord(row));
    }
    return found;
  }

  /** The ids of all books in a state, in no order that means anything. */
  async listIn(state: BookState): Promise<number[]> {
    const rows = await this.database
      .selectFrom("book")
      .select("issue_id")
      .where("state", "=", state)
      .orderBy("issue_id")
      .execute();
    return rows.map((row) => row.issue_id);
  }

  async put(record: Omit<BookRecord, "lookedAt">): Promise<void> {
    const row: BookTable = {
      issue_id: record.issueId,
      state: record.state,
      work_id: record.workId ?? null,
      cover_id: record.coverId ?? null,
      reasons: JSON.stringify(record.reasons),
      candidates: JSON.stringify(record.candidates),
      former: record.former === undefined ? null : JSON.stringify(record.former),
      by_hand: record.byHand ? 1 : 0,
      evidence: record.evidence,
      looked_at: Date.now(),
    };
    await this.database
      .insertInto("book")
      .values(row)
      .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(row))
      .execute();
  }

  async remove(issueId: number): Promise<void> {
    await this.database.deleteFrom("book").where("issue_id", "=", issueId).execute();
  }

  /** An issue became another; what is known of that one is kept. */
  async follow({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const known = await transaction.selectFrom("book").select("state").where("issue_id", "=", to).executeTakeFirst();
      if (known) await transaction.deleteFrom("book").where("issue_id", "=", from).execute();
      else await transaction.updateTable("book").set({ issue_id: to }).where("issue_id", "=", from).execute();
    });
  }
}

function toRecord(row: BookTable): BookRecord {
  return {
    issueId: row.issue_id,
    state: row.state,
    workId: row.work_id ?? undefined,
    coverId: row.cover_id ?? undefined,
    reasons: texts.parse(JSON.parse(row.reasons)),
    candidates: keptCandidates.parse(JSON.parse(row.candidates)),
    former: row.former === null ? undefined : (JSON.parse(row.former) as BeforeWork),
    byHand: row.by_hand === 1,
    evidence: row.evidence,
    lookedAt: row.looked_at,
  };
}
