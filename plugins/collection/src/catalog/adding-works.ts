import { foldTitle } from "@longbox/sdk";
import { recountSeries } from "../counting/counters.js";
import { WorkNotFound } from "../errors.js";
import { writeIds } from "../ids/external-ids.js";
import type { Getting } from "../issues/getting.js";
import { parseIssueNumber } from "../issues/issue-number.js";
import { titleWords } from "../issues/issue-titles.js";
import { checkMayWant, setPicks } from "../issues/picking.js";
import { makeSeries } from "../series/adding.js";
import { reserveIds, type CollectionTransaction } from "../tables.js";
import type { AddWorkRequest, ProviderWork } from "./work-catalog-contract.js";
import { addCreators, describedBy, idsOfWork, writeDetail, type WorkWritingParts } from "./work-writing.js";

type Parts = WorkWritingParts & { readonly getting: Getting };
interface Place {
  readonly seriesId: number;
  readonly issueId: number;
}

/** Adds works that the library lacks, as wanted. */
export class AddingWorks {
  constructor(private readonly parts: Parts) {}

  async add(work: ProviderWork, request: AddWorkRequest): Promise<Place & { queued: number }> {
    checkMayWant(request.viewer);
    const place = await this.parts.database.transaction().execute(async (transaction) => {
      const found = (await findKnown(transaction, work, request)) ?? (await this.#make(transaction, work, request));
      await setPicks(transaction, [found.issueId], { pick: 1, why: request.why, reason: request.reason });
      await recountSeries(transaction, [found.seriesId]);
      await this.parts.search.refresh(transaction, [found.seriesId]);
      return found;
    });
    this.parts.changes.announceSeries([place.seriesId]);
    return { ...place, queued: await this.#queue(place, request) };
  }

  async #queue({ issueId }: Place, { viewer, download }: AddWorkRequest): Promise<number> {
    const { getting } = this.parts;
    if (!download || !viewer.may("downloads.grab") || !getting.available()) return 0;
    return await getting.queueIssues([issueId], viewer);
  }

  async #make(transaction: CollectionTransaction, work: ProviderWork, request: AddWorkRequest): Promise<Place> {
    const seriesId = await seriesOf(transaction, work, request);
    const key = keyOf(work);
    const same = await transaction
      .selectFrom("issue")
      .select("id")
      .where("series_id", "=", seriesId)
      .where("sort_key", "=", key.sortKey)
      .executeTakeFirst();
    const issueId = same?.id ?? (await makeIssue(transaction, seriesId, work));
    if (same) await transaction.updateTable("issue").set({ present: 1 }).where("id", "=", issueId).execute();
    await writeIds(transaction, idsOfWork(issueId, work));
    return { seriesId, issueId };
  }
}

/** What the library has of this work already, owned or wanted. @throws {WorkNotFound} when that is hidden */
async function findKnown(
  transaction: CollectionTransaction,
  work: ProviderWork,
  { libraryTypes, viewer }: AddWorkRequest,
): Promise<Place | undefined> {
  const rows = await transaction
    .selectFrom("external_id")
    .innerJoin("issue", "issue.id", "external_id.subject_id")
    .innerJoin("series", "series.id", "issue.series_id")
    .select(["issue.id as issueId", "issue.series_id as seriesId", "series.hidden"])
    .where("external_id.subject", "=", "issue")
    .where("scheme", "=", work.ids.scheme)
    .where(
      "external_id.value",
      "in",
      idsOfWork(0, work).map(({ value }) => value),
    )
    .where("series.type", "in", [...libraryTypes])
    .where("series.state", "=", "tracked")
    .where("issue.present", "=", 1)
    .orderBy("issue.owned", "desc")
    .orderBy("issue.id")
    .execute();
  const seen = rows.find(({ hidden }) => hidden === 0 || viewer.seesRestricted);
  if (!seen && rows.length > 0) throw new WorkNotFound(work.ids.values[0] ?? "");
  return seen && { seriesId: seen.seriesId, issueId: seen.issueId };
}

/** Its series, or the one that holds the works of its author; a new one where there is none. @returns the id */
async function seriesOf(
  transaction: CollectionTransaction,
  work: ProviderWork,
  { libraryTypes, viewer }: AddWorkRequest,
): Promise<number> {
  const title = work.series?.name ?? work.authors[0] ?? work.title;
  const named = await transaction
    .selectFrom("series")
    .select(["id", "hidden"])
    .where("title_key", "=", foldTitle(title))
    .where("type", "in", [...libraryTypes])
    .where("state", "=", "tracked")
    .where("cv_id", "is", null)
    .execute();
  const [only, ...others] = named.filter(({ hidden }) => hidden === 0 || viewer.seesRestricted);
  if (only && others.length === 0) return only.id;
  const id = await makeSeries(transaction, { title }, libraryTypes);
  await transaction.updateTable("series").set({ monitor: "none" }).where("id", "=", id).execute();
  return id;
}

const keyOf = (work: ProviderWork) => {
  const number = parseIssueNumber(work.series?.number ?? "");
  // As files without a number are told apart: see placing-batch.ts.
  return number.text === "" ? { ...number, sortKey: `~ ${foldTitle(work.title)}` } : number;
};

async function makeIssue(transaction: CollectionTransaction, seriesId: number, work: ProviderWork): Promise<number> {
  const id = await reserveIds(transaction, "issue", 1);
  const number = keyOf(work);
  await transaction
    .insertInto("issue")
    .values({
      id,
      series_id: seriesId,
      cv_issue_id: null,
      number: number.text,
      sort_key: number.sortKey,
      value: number.value ?? null,
      kind: number.kind,
      title: work.title,
      title_words: titleWords(work.title),
      cover_date: work.publishedOn ?? null,
      language: work.language ?? null,
      described: 1,
      added_at: new Date().toISOString(),
    })
    .execute();
  await writeDetail(transaction, id, describedBy(work));
  await addCreators(transaction, seriesId, work.authors);
  return id;
}
