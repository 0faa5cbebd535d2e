import type { Issue } from "@longbox/collection/contract";
import type { ReadingState } from "@longbox/reading/contract";
import { z } from "zod";

export const progressSchema = z.object({
  page: z.number().int().meta({ description: "Counted from 0" }),
  pages: z.number().int(),
  completed: z.boolean(),
  readAt: z.string(),
  finishedAt: z.string().nullable(),
  timesFinished: z.number().int(),
});

export const issueSchema = z.object({
  id: z.number().int(),
  cvIssueId: z.number().int(),
  seriesId: z.number().int(),
  series: z.string(),
  number: z.string(),
  title: z.string().nullable(),
  coverDate: z.string().nullable(),
  type: z.string(),
  cover: z.string(),
  owned: z.boolean(),
  pages: z.number().int(),
  addedAt: z.string(),
});

export const shelfItemSchema = issueSchema.extend({ progress: progressSchema.nullable() });
export type ShelfItem = z.output<typeof shelfItemSchema>;

/** @param state - of a work that has pages; where none are known, its only page stands for all of it */
export function progressDocument(state: ReadingState): z.output<typeof progressSchema> {
  const { page, pages } = state.places.page ?? { page: 0, pages: 1 };
  const { completed, at, finishedAt, timesFinished } = state;
  return { page, pages, completed, readAt: at, finishedAt: finishedAt ?? null, timesFinished };
}

export function issueDocument(issue: Issue): z.output<typeof issueSchema> {
  return {
    id: issue.id,
    cvIssueId: issue.cvIssueId,
    seriesId: issue.seriesId,
    series: issue.seriesTitle,
    number: issue.number,
    title: issue.title ?? null,
    coverDate: issue.coverDate ?? null,
    type: issue.type,
    cover: `/api/issue/${issue.cvIssueId}/cover`,
    owned: issue.owned,
    pages: issue.pages,
    addedAt: issue.addedAt,
  };
}

export function shelfItem(issue: Issue, state: ReadingState | undefined): ShelfItem {
  return { ...issueDocument(issue), progress: state ? progressDocument(state) : null };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
