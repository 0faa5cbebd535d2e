import type { Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import { recountSeries } from "../counting/counters.js";
import { IssueNotFound } from "../errors.js";
import { writeIds } from "../ids/external-ids.js";
import { normaliseId } from "../ids/schemes.js";
import type { IssueDetails } from "../issues/issue-details.js";
import { mergeIssue, mergeSeries, type IssueMerge } from "../issues/merging.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionDatabase, CollectionTransaction, IssueDetailTable } from "../tables.js";
import type { BeforeWork, ProviderWork } from "./work-catalog-contract.js";

export interface WorkWritingParts {
  readonly database: CollectionDatabase;
  readonly search: SearchIndex;
  readonly changes: Changes;
  readonly details: IssueDetails;
}

interface Described {
  readonly id: number;
  readonly series_id: number;
  readonly language: string | null;
  readonly cover_date: string | null;
  readonly type: string;
  readonly hidden: number;
  readonly owned: number;
}

/** Writes what a provider says of a single work. */
export class WorkWriting {
  constructor(private readonly parts: WorkWritingParts) {}

  async describe(issueId: number, work: ProviderWork, viewer: Viewer): Promise<BeforeWork> {
    const known = await this.#find(issueId, viewer);
    const [former] = await this.parts.details.find([issueId]);
    const { issueId: _, storeDate: __, ...detail } = former!;
    const before = { detail, language: known.language ?? undefined, coverDate: known.cover_date ?? undefined };
    const outcome = await this.parts.database.transaction().execute(async (transaction) => {
      await writeIds(transaction, idsOfWork(issueId, work));
      await writeDetail(transaction, issueId, describedBy(work, before.detail));
      await transaction
        .updateTable("issue")
        .set({
          described: 1,
          language: known.language ?? work.language ?? null,
          cover_date: known.cover_date ?? work.publishedOn ?? null,
        })
        .where("id", "=", issueId)
        .execute();
      await addCreators(transaction, known.series_id, work.authors);
      const arrived = known.owned === 1 ? await this.#arrive(transaction, known, work) : [];
      await recountSeries(transaction, [known.series_id]);
      await this.parts.search.refresh(transaction, [known.series_id]);
      return arrived;
    });
    this.parts.changes.announceMerges(outcome);
    this.parts.changes.announceSeries([known.series_id]);
    if (known.owned === 1) this.parts.changes.announceIdentified([issueId]);
    return before;
  }

  async forget(
    issueId: number,
    { scheme, before }: { readonly scheme: string; readonly before: BeforeWork },
    viewer: Viewer,
  ): Promise<void> {
    const known = await this.#find(issueId, viewer);
    await this.parts.database.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom("external_id")
        .where("subject", "=", "issue")
        .where("subject_id", "=", issueId)
        .where("scheme", "=", scheme)
        .execute();
      await writeDetail(transaction, issueId, before.detail);
      await transaction
        .updateTable("issue")
        .set({ described: 0, language: before.language ?? null, cover_date: before.coverDate ?? null })
        .where("id", "=", issueId)
        .execute();
    });
    this.parts.changes.announceSeries([known.series_id]);
  }

  async #find(issueId: number, viewer: Viewer): Promise<Described> {
    const row = await this.parts.database
      .selectFrom("issue")
      .innerJoin("series", "series.id", "issue.series_id")
      .select(["issue.id", "series_id", "language", "cover_date", "issue.owned", "type", "hidden"])
      .where("issue.id", "=", issueId)
      .executeTakeFirst();
    if (!row || (row.hidden === 1 && !viewer.seesRestricted)) throw new IssueNotFound(-issueId);
    return row;
  }

  /** What was wanted of this work has arrived: its pick and its ids belong to the issue with the file. */
  async #arrive(transaction: CollectionTransaction, known: Described, work: ProviderWork): Promise<IssueMerge[]> {
    const awaited = await transaction
      .selectFrom("external_id")
      .innerJoin("issue", "issue.id", "external_id.subject_id")
      .innerJoin("series", "series.id", "issue.series_id")
      .select(["issue.id", "issue.series_id"])
      .distinct()
      .where("subject", "=", "issue")
      .where("scheme", "=", work.ids.scheme)
      .where("external_id.value", "in", valuesOf(work))
      .where("issue.owned", "=", 0)
      .where("issue.id", "<>", known.id)
      .where("series.type", "=", known.type)
      // What is hidden must not become visible, nor the reverse.
      .where("series.hidden", "=", known.hidden)
      .execute();
    const merges: IssueMerge[] = [];
    for (const { id, series_id: from } of awaited) {
      const merge = { from: id, to: known.id };
      await mergeIssue(transaction, merge);
      merges.push(merge);
      if (from !== known.series_id)
        merges.push(...(await this.#joinEmptied(transaction, { from, to: known.series_id })));
    }
    return merges;
  }

  /** A series that was made for wanted works leads to that of the work that arrived, once it holds no other. */
  async #joinEmptied(transaction: CollectionTransaction, ids: IssueMerge): Promise<IssueMerge[]> {
    const left = await transaction
      .selectFrom("issue")
      .select("id")
      .where("series_id", "=", ids.from)
      .where("present", "=", 1)
      .executeTakeFirst();
    if (!left) return await mergeSeries(transaction, this.parts.search, ids);
    await recountSeries(transaction, [ids.from]);
    return [];
  }
}

/** The rows of a work's ids; those that are written in no valid way are left out. */
export function idsOfWork(issueId: number, work: ProviderWork) {
  const { scheme } = work.ids;
  return valuesOf(work).map((value) => ({ subject: "issue", subject_id: issueId, scheme, value }));
}

function valuesOf({ ids }: ProviderWork): string[] {
  return ids.values.flatMap((value) => normaliseId(ids.scheme, value) ?? []);
}

/** The provider's authors, and the people in other roles that the files name; the same for all that it leaves out. */
export function describedBy(work: ProviderWork, before?: BeforeWork["detail"]): BeforeWork["detail"] {
  const others = (before?.credits ?? []).filter(({ role }) => work.authors.length === 0 || role !== "author");
  return {
    description: work.description ?? before?.description,
    credits: [...work.authors.map((name) => ({ name, role: "author" })), ...others],
    characters: before?.characters ?? [],
    teams: before?.teams ?? [],
    locations: before?.locations ?? [],
    arcs: before?.arcs ?? [],
    subjects: work.subjects.length > 0 ? work.subjects : (before?.subjects ?? []),
    url: work.url ?? before?.url,
  };
}

export async function writeDetail(
  transaction: CollectionTransaction,
  issueId: number,
  detail: BeforeWork["detail"],
): Promise<void> {
  const row: Omit<IssueDetailTable, "issue_id" | "age_rating"> = {
    description: detail.description ?? null,
    credits: JSON.stringify(detail.credits),
    characters: JSON.stringify(detail.characters),
    teams: JSON.stringify(detail.teams),
    locations: JSON.stringify(detail.locations),
    arcs: JSON.stringify(detail.arcs),
    subjects: JSON.stringify(detail.subjects),
    url: detail.url ?? null,
  };
  await transaction
    .insertInto("issue_detail")
    .values({ issue_id: issueId, ...row })
    .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(row))
    .execute();
}

export async function addCreators(
  transaction: CollectionTransaction,
  seriesId: number,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await transaction
    .insertInto("series_creator")
    .values([...new Set(names)].map((name) => ({ series_id: seriesId, name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
