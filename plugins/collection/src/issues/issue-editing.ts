import { inBatches, isAmong } from "@longbox/sdk";
import { z } from "zod";
import type { Changes } from "../changes.js";
import { recountSeries } from "../counting/counters.js";
import { IssueNotFound } from "../errors.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionDatabase, CollectionTransaction, IssueTable } from "../tables.js";
import { titleWords } from "./issue-titles.js";

const text = (longest: number) => z.string().trim().max(longest);
const names = z.array(text(300).min(1)).max(500);
const empty = "null: unknown, until files or the provider say it";

/** What a person may write about an issue. */
const editsSchema = z.object({
  title: text(500).min(1).nullable().optional().meta({ description: empty }),
  coverDate: z
    .string()
    .regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, "must be a date such as 2019-05-01")
    .nullable()
    .optional()
    .meta({ description: empty }),
  description: text(50_000)
    .min(1)
    .nullable()
    .optional()
    .meta({ description: `Plain text. ${empty}` }),
  credits: z
    .array(z.object({ name: text(300).min(1), role: text(100) }))
    .max(500)
    .nullable()
    .optional()
    .meta({ description: empty }),
  characters: names.nullable().optional().meta({ description: empty }),
});
export const lockableIssueFields = ["title", "coverDate", "description", "credits", "characters"] as const;
export type LockableIssueField = (typeof lockableIssueFields)[number];

export const issueEditsSchema = editsSchema.extend({
  coverPage: z
    .number()
    .int()
    .min(0)
    .max(99_999)
    .nullable()
    .optional()
    .meta({ description: "The page that is shown as cover, from 0; null: as the file says" }),
  locked: z.array(z.enum(lockableIssueFields)).optional().meta({
    description: "The fields that are not overwritten. By default those that were locked, and those that are given",
  }),
});
export type IssueEdits = z.output<typeof issueEditsSchema>;
type Written = z.output<typeof editsSchema>;

export interface IssueEditingParts {
  readonly database: CollectionDatabase;
  readonly search: SearchIndex;
  readonly changes: Changes;
}

/** The fields of an issue that files and providers leave alone. */
export function lockedInIssue({ edits }: Pick<IssueTable, "edits">): LockableIssueField[] {
  const written = readEdits(edits);
  return lockableIssueFields.filter((field) => written[field] !== undefined);
}

/** Writes what a person says about an issue. @throws {IssueNotFound} */
export async function editIssue(
  { database, search, changes }: IssueEditingParts,
  issueId: number,
  edits: IssueEdits,
): Promise<LockableIssueField[]> {
  const { seriesId, locked } = await database.transaction().execute(async (transaction) => {
    const before = await transaction.selectFrom("issue").selectAll().where("id", "=", issueId).executeTakeFirst();
    if (!before) throw new IssueNotFound(issueId);
    await writeFields(transaction, issueId, edits);
    const written = await lockedValues(transaction, before, edits);
    const kept = Object.keys(written).length === 0 ? null : JSON.stringify(written);
    const cover = edits.coverPage === undefined ? {} : { cover_page: edits.coverPage };
    await transaction
      .updateTable("issue")
      .set({ edits: kept, ...cover })
      .where("id", "=", issueId)
      .execute();
    await addCreators(transaction, before.series_id, edits);
    await recountSeries(transaction, [before.series_id]);
    await search.refresh(transaction, [before.series_id]);
    return { seriesId: before.series_id, locked: lockedInIssue({ edits: kept }) };
  });
  changes.announceSeries([seriesId]);
  return locked;
}

/**
 * Puts what people wrote about these issues back in its place, after files or a provider have described them. Called in
 * the transaction that wrote the description.
 */
export async function keepIssueEdits(transaction: CollectionTransaction, issueIds: readonly number[]): Promise<void> {
  for (const ids of inBatches(issueIds)) {
    const rows = await transaction
      .selectFrom("issue")
      .select(["id", "edits"])
      .where(isAmong("id", ids))
      .where("edits", "is not", null)
      .execute();
    for (const { id, edits } of rows) await writeFields(transaction, id, readEdits(edits));
  }
}

function readEdits(edits: string | null): Written {
  return JSON.parse(edits ?? "{}") as Written;
}

async function writeFields(transaction: CollectionTransaction, issueId: number, fields: Written): Promise<void> {
  const { title, coverDate, description, credits, characters } = fields;
  const issue: Partial<IssueTable> = {
    ...(title !== undefined && { title, title_words: titleWords(title) }),
    ...(coverDate !== undefined && { cover_date: coverDate }),
  };
  if (Object.keys(issue).length > 0)
    await transaction.updateTable("issue").set(issue).where("id", "=", issueId).execute();
  const detail = {
    ...(description !== undefined && { description }),
    ...(credits !== undefined && { credits: JSON.stringify(credits ?? []) }),
    ...(characters !== undefined && { characters: JSON.stringify(characters ?? []) }),
  };
  if (Object.keys(detail).length === 0) return;
  const nothing = { description: null, credits: "[]", characters: "[]", teams: "[]", locations: "[]", arcs: "[]" };
  await transaction
    .insertInto("issue_detail")
    .values({ issue_id: issueId, subjects: "[]", url: null, ...nothing, ...detail })
    .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(detail))
    .execute();
}

/** What is locked from now on, with its values. What is not known cannot be locked: a source may still say it. */
async function lockedValues(
  transaction: CollectionTransaction,
  before: IssueTable,
  edits: IssueEdits,
): Promise<Written> {
  const given = lockableIssueFields.filter((field) => edits[field] !== undefined);
  const wanted = edits.locked ?? [...lockedInIssue(before), ...given];
  const issue = await transaction
    .selectFrom("issue")
    .leftJoin("issue_detail", "issue_detail.issue_id", "issue.id")
    .select(["title", "cover_date", "description", "credits", "characters"])
    .where("issue.id", "=", before.id)
    .executeTakeFirstOrThrow();
  const now: Written = {
    title: issue.title,
    coverDate: issue.cover_date,
    description: issue.description,
    credits: JSON.parse(issue.credits ?? "[]") as Written["credits"],
    characters: JSON.parse(issue.characters ?? "[]") as Written["characters"],
  };
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => {
      const isKnown = Array.isArray(value) ? value.length > 0 : value !== null;
      return isKnown && (wanted as readonly string[]).includes(name);
    }),
  );
}

async function addCreators(transaction: CollectionTransaction, seriesId: number, { credits }: Written): Promise<void> {
  const creators = [...new Set((credits ?? []).map(({ name }) => name))];
  if (creators.length === 0) return;
  await transaction
    .insertInto("series_creator")
    .values(creators.map((name) => ({ series_id: seriesId, name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
