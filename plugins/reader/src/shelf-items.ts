import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { ReadingState } from "@longbox/reading/contract";
import { z } from "zod";

export const progressSchema = z.object({
  page: z.number().int().meta({ description: "Counted from 0" }),
  pages: z.number().int(),
  fraction: z.number().meta({ description: "How much has been read, 0 to 1; also of works without pages" }),
  completed: z.boolean(),
  readAt: z.string(),
  finishedAt: z.string().nullable(),
  timesFinished: z.number().int(),
});

const labelSchema = z
  .object({ full: z.string(), short: z.string(), within: z.string().nullable() })
  .meta({ description: "Its name in the words of its type: alone, within its series, and the line below" });

export const issueSchema = z.object({
  id: z.number().int(),
  cvIssueId: z.number().int(),
  seriesId: z.number().int(),
  series: z.string(),
  number: z.string(),
  title: z.string().nullable(),
  label: labelSchema,
  coverDate: z.string().nullable(),
  type: z.string(),
  cover: z.string(),
  owned: z.boolean(),
  pages: z.number().int(),
  addedAt: z.string(),
});

export const shelfItemSchema = issueSchema.extend({
  format: z.string().nullable().meta({ description: "The id of the format of the file that is read, such as cbz" }),
  progress: progressSchema.nullable(),
  more: z.number().int().optional().meta({ description: "How many others of its series the grouped shelf leaves out" }),
});
export type ShelfItem = z.output<typeof shelfItemSchema>;

/** @param state - of a work that has pages; where none are known, its only page stands for all of it */
export function progressDocument(state: ReadingState): z.output<typeof progressSchema> {
  const { page, pages } = state.places.page ?? { page: 0, pages: 1 };
  const { fraction, completed, at, finishedAt, timesFinished } = state;
  return { page, pages, fraction, completed, readAt: at, finishedAt: finishedAt ?? null, timesFinished };
}

export function issueDocument(issue: Issue): z.output<typeof issueSchema> {
  return {
    id: issue.id,
    cvIssueId: issue.cvIssueId,
    seriesId: issue.seriesId,
    series: issue.seriesTitle,
    number: issue.number,
    title: issue.title ?? null,
    label: { ...issue.label, within: issue.label.within ?? null },
    coverDate: issue.coverDate ?? null,
    type: issue.type,
    cover: `/api/issue/${issue.cvIssueId}/cover`,
    owned: issue.owned,
    pages: issue.pages,
    addedAt: issue.addedAt,
  };
}

/** An issue of a shelf, whose format is not looked up yet. */
export function shelfItem(issue: Issue, state: ReadingState | undefined): ShelfItem {
  return { ...issueDocument(issue), format: null, progress: state ? progressDocument(state) : null };
}

/** The first item of each series, with the number of the others. */
export function groupBySeries(items: readonly ShelfItem[]): ShelfItem[] {
  return [...Map.groupBy(items, ({ seriesId }) => seriesId).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, more: others.length }] : [],
  );
}

/** Looks up the formats, so that the programs that can read them are offered. */
export async function withFormats(
  library: Pick<CollectionContract, "findHoldings">,
  items: readonly ShelfItem[],
): Promise<ShelfItem[]> {
  const formats = new Map<number, string | undefined>();
  for (const { issueId, valid, format } of await library.findHoldings(items.map(({ id }) => id)))
    if (valid && !formats.has(issueId)) formats.set(issueId, format);
  return items.map((item) => ({ ...item, format: formats.get(item.id) ?? null }));
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
