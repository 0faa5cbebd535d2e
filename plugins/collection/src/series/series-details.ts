import { foldTitle } from "@longbox/sdk";
import { z } from "zod";
import type { Changes } from "../changes.js";
import { recountSeries } from "../counting/counters.js";
import { badField, SeriesNotFound } from "../errors.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionDatabase, CollectionTransaction, SeriesTable } from "../tables.js";
import { lockableFields, lockedIn, type LockableField } from "./lockable-fields.js";
import { titleOrder } from "./title-order.js";

const text = (longest: number) => z.string().trim().max(longest);
const empty = "null: unknown, until files or the provider say it";

export const detailsSchema = z.object({
  title: text(500).min(1).optional(),
  publisher: text(300).nullable().optional().meta({ description: empty }),
  year: z.number().int().min(1000).max(9999).nullable().optional().meta({ description: empty }),
  description: text(50_000)
    .nullable()
    .optional()
    .meta({ description: `Plain text. ${empty}` }),
  coverIssue: z
    .number()
    .int()
    .nullable()
    .optional()
    .meta({ description: "The cvIssueId of the issue whose cover is shown; null: the first that is owned" }),
  locked: z.array(z.enum(lockableFields)).optional().meta({
    description: "The fields that are not overwritten. By default those that were locked, and those that are given",
  }),
});
export type SeriesDetails = z.output<typeof detailsSchema>;

export interface DetailsParts {
  readonly database: CollectionDatabase;
  readonly search: SearchIndex;
  readonly changes: Changes;
}

/**
 * Writes what a person says about a series.
 * @throws {SeriesNotFound}
 * @throws {BadInput} when the cover is of another series
 */
export async function writeDetails(
  { database, search, changes }: DetailsParts,
  seriesId: number,
  details: SeriesDetails,
): Promise<LockableField[]> {
  const locked = await database.transaction().execute(async (transaction) => {
    const before = await transaction.selectFrom("series").selectAll().where("id", "=", seriesId).executeTakeFirst();
    if (!before) throw new SeriesNotFound(seriesId);
    const set = { ...fieldsOf(details), ...(await coverOf(transaction, seriesId, details)) };
    const locks = locksAfter({ ...before, ...set }, details);
    const aliases = formerTitles(before, details);
    await transaction
      .updateTable("series")
      .set({ ...set, locked: JSON.stringify(locks), ...(aliases && { aliases }) })
      .where("id", "=", seriesId)
      .execute();
    await recountSeries(transaction, [seriesId]);
    await search.refresh(transaction, [seriesId]);
    return locks;
  });
  changes.announceSeries([seriesId]);
  return locked;
}

function fieldsOf({ title, publisher, year, description }: SeriesDetails): Partial<SeriesTable> {
  return {
    ...(title !== undefined && { title, title_key: foldTitle(title), title_order: titleOrder(foldTitle(title)) }),
    ...(publisher !== undefined && { publisher: publisher || null }),
    ...(year !== undefined && { year }),
    ...(description !== undefined && { description: description || null }),
  };
}

async function coverOf(
  transaction: CollectionTransaction,
  seriesId: number,
  { coverIssue }: SeriesDetails,
): Promise<Partial<SeriesTable>> {
  if (coverIssue === undefined) return {};
  if (coverIssue === null) return { chosen_cover_id: null };
  const issue = await transaction
    .selectFrom("issue")
    .select("id")
    .where("series_id", "=", seriesId)
    .where(coverIssue < 0 ? "id" : "cv_issue_id", "=", Math.abs(coverIssue))
    .executeTakeFirst();
  if (!issue) throw badField("coverIssue", "must be an issue of the series");
  return { chosen_cover_id: issue.id };
}

/** What is not known cannot be locked: a source may still say it. */
function locksAfter(after: SeriesTable, details: SeriesDetails): LockableField[] {
  const given = lockableFields.filter((field) => details[field] !== undefined);
  const wanted = new Set<LockableField>(details.locked ?? [...lockedIn(after), ...given]);
  return lockableFields.filter((field) => wanted.has(field) && after[field] !== null);
}

/** The former title stays as an alias: files of that name belong to the series, and people search for it. */
function formerTitles(before: SeriesTable, { title }: SeriesDetails): string | undefined {
  if (title === undefined || foldTitle(title) === foldTitle(before.title)) return undefined;
  return JSON.stringify([...new Set([...(JSON.parse(before.aliases) as string[]), before.title])]);
}
