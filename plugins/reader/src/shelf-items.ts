import type { Issue } from "@longbox/collection/contract";
import { z } from "zod";
import type { Progress } from "./progress-report.js";

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

export function progressDocument(progress: Progress): z.output<typeof progressSchema> {
  const { page, pages, completed, readAt, finishedAt, timesFinished } = progress;
  return { page, pages, completed, readAt: isoTime(readAt), finishedAt: finishedAt === undefined ? null : isoTime(finishedAt), timesFinished };
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

export function shelfItem(issue: Issue, progress: Progress | undefined): ShelfItem {
  return { ...issueDocument(issue), progress: progress ? progressDocument(progress) : null };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
