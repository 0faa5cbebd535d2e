import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { PagesContract, PageList } from "@longbox/comics/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { BookmarkRecords } from "./bookmark-records.js";
import { noteSchema, type NoteRecords } from "./note-records.js";
import { directions, preferenceSchema, type Preference, type Preferences } from "./preferences.js";
import { NothingToRead } from "./reader-errors.js";
import { issueDocument, issueSchema, progressDocument, progressSchema } from "./shelf-items.js";
import { getIssue } from "./visible-issues.js";

export const neighbourSchema = issueSchema.pick({
  cvIssueId: true,
  number: true,
  title: true,
  label: true,
  cover: true,
});

export const openDocumentSchema = issueSchema.extend({
  pageCount: z.number().int(),
  pages: z
    .array(z.object({ page: z.number().int(), name: z.string(), contentType: z.string(), sizeBytes: z.number().int() }))
    .meta({ description: "In reading order" }),
  version: z
    .string()
    .meta({ description: "Changes with the file; as ?v= of a page it makes an address that never goes stale" }),
  direction: z.enum(directions).meta({ description: "The viewer's choice, else what the file says" }),
  neighbours: z.object({ previous: neighbourSchema.nullable(), next: neighbourSchema.nullable() }),
  progress: progressSchema.nullable(),
  bookmarks: z.array(z.number().int()),
  notes: z.array(noteSchema).meta({ description: "What the viewer wrote about pages" }),
  later: z.boolean(),
  preferences: preferenceSchema,
});
type OpenDocument = z.output<typeof openDocumentSchema>;

interface Sources {
  readonly library: CollectionContract;
  readonly pages: PagesContract;
  readonly reading: ReadingContract;
  readonly bookmarks: BookmarkRecords;
  readonly notes: NoteRecords;
  readonly preferences: Preferences;
}

/** Everything that a reader needs to open an issue. @throws {IssueNotFound} @throws {NothingToRead} */
export async function openIssue(sources: Sources, cvIssueId: number, viewer: Viewer): Promise<OpenDocument> {
  const issue = await getIssue(sources.library, cvIssueId, viewer);
  const key = { userId: viewer.user.id, issueId: issue.id };
  const [list, neighbours, [progress], bookmarks, notes, later, preferences] = await Promise.all([
    sources.pages.findPages(issue.id),
    sources.library.neighbours(issue.id, viewer),
    sources.reading.find(viewer, [issue.id]),
    sources.bookmarks.list(key),
    sources.notes.list(key),
    sources.reading.findLater(viewer, [issue.id]),
    sources.preferences.resolve(viewer.user.id, issue.seriesId),
  ]);
  if (!list || list.pages.length === 0) throw new NothingToRead(cvIssueId);
  return {
    ...issueDocument(issue),
    pageCount: list.pages.length,
    pages: list.pages.map(({ name, contentType, sizeBytes }, page) => ({ page, name, contentType, sizeBytes })),
    version: list.validator,
    direction: directionOf(issue, list, preferences),
    neighbours: { previous: neighbourDocument(neighbours.previous), next: neighbourDocument(neighbours.next) },
    progress: progress ? progressDocument(progress) : null,
    bookmarks,
    notes,
    later: later.length > 0,
    preferences,
  };
}

function directionOf(issue: Issue, list: PageList, preferences: Preference): "ltr" | "rtl" {
  return preferences.direction ?? (list.rightToLeft || issue.type === "manga" ? "rtl" : "ltr");
}

function neighbourDocument(issue: Issue | undefined): z.output<typeof neighbourSchema> | null {
  if (!issue) return null;
  const { cvIssueId, number, title, label, cover } = issueDocument(issue);
  return { cvIssueId, number, title, label, cover };
}
