import type { Issue, IssueDetail } from "@longbox/collection/contract";
import type { WholeFile } from "@longbox/files/contract";
import type { ReadingState } from "@longbox/reading/contract";
import { z } from "zod";
import { authorSchema, humanSize, instant, linkSchema, releaseDate, times } from "./common.js";
import { locks, lockSchemas } from "./series.js";

const lockNames = [
  "authors",
  "isbn",
  "links",
  "number",
  "numberSort",
  "releaseDate",
  "summary",
  "tags",
  "title",
] as const;

export const bookSchema = z.object({
  id: z.string(),
  seriesId: z.string(),
  seriesTitle: z.string(),
  libraryId: z.string(),
  name: z.string(),
  /** The place in the series, from 1. */
  number: z.number().int(),
  url: z.string(),
  created: instant,
  lastModified: instant,
  fileLastModified: instant,
  fileHash: z.string(),
  sizeBytes: z.number().int(),
  size: z.string(),
  media: z.object({
    status: z.enum(["READY", "ERROR"]),
    mediaType: z.string(),
    mediaProfile: z.enum(["DIVINA", "PDF", "EPUB"]),
    pagesCount: z.number().int(),
    comment: z.string(),
    epubDivinaCompatible: z.boolean(),
    epubIsKepub: z.boolean(),
  }),
  metadata: z.object({
    title: z.string(),
    summary: z.string(),
    number: z.string(),
    numberSort: z.number(),
    releaseDate: z.string().optional(),
    authors: z.array(authorSchema),
    tags: z.array(z.string()),
    isbn: z.string(),
    links: z.array(linkSchema),
    created: instant,
    lastModified: instant,
    ...lockSchemas(lockNames),
  }),
  readProgress: z
    .object({
      /** From 1. */
      page: z.number().int(),
      completed: z.boolean(),
      readDate: instant,
      created: instant,
      lastModified: instant,
      deviceId: z.string(),
      deviceName: z.string(),
    })
    .optional(),
  deleted: z.boolean(),
  oneshot: z.boolean(),
});
export type BookDocument = z.output<typeof bookSchema>;

/** A book and its place among those of its series. */
export interface PlacedBook {
  readonly issue: Issue;
  /** From 1. */
  readonly place: number;
  readonly numberSort: number;
  readonly libraryId: number;
}

export interface BookFacts {
  readonly file: WholeFile | undefined;
  readonly detail: IssueDetail | undefined;
  readonly state: ReadingState | undefined;
}

export function bookDocument({ issue, place, numberSort, libraryId }: PlacedBook, facts: BookFacts): BookDocument {
  const { file, state } = facts;
  const sizeBytes = file?.sizeBytes ?? 0;
  return {
    id: String(issue.id),
    seriesId: String(issue.seriesId),
    seriesTitle: issue.seriesTitle,
    libraryId: String(libraryId),
    name: file ? file.name.replace(/\.[^.]+$/, "") : issue.label.full,
    number: place,
    url: "",
    ...times(issue.addedAt),
    fileLastModified: issue.addedAt,
    fileHash: "",
    sizeBytes,
    size: humanSize(sizeBytes),
    media: mediaOf(issue, file),
    metadata: metadataOf({ issue, numberSort }, facts.detail),
    readProgress: state && progressOf(state, issue.pages),
    deleted: false,
    oneshot: false,
  };
}

/** The names that Komga uses for the kinds of files. */
const mediaTypes: Readonly<Record<string, string>> = {
  "application/vnd.comicbook+zip": "application/zip",
  "application/vnd.comicbook-rar": "application/x-rar-compressed",
  "application/x-cb7": "application/x-7z-compressed",
};

function mediaOf(issue: Issue, file: WholeFile | undefined): BookDocument["media"] {
  const contentType = file?.contentType ?? "application/octet-stream";
  return {
    status: issue.corrupt ? "ERROR" : "READY",
    mediaType: mediaTypes[contentType] ?? contentType,
    // Comics in EPUB are sent page by page, like all others.
    mediaProfile: contentType === "application/pdf" ? "PDF" : "DIVINA",
    pagesCount: issue.pages,
    comment: "",
    epubDivinaCompatible: contentType === "application/epub+zip",
    epubIsKepub: false,
  };
}

function metadataOf(
  { issue, numberSort }: Pick<PlacedBook, "issue" | "numberSort">,
  detail: IssueDetail | undefined,
): BookDocument["metadata"] {
  return {
    title: issue.title ?? issue.label.short,
    summary: detail?.description ?? "",
    number: issue.number,
    numberSort,
    releaseDate: releaseDate(issue.coverDate ?? detail?.storeDate),
    authors: authorsOf(detail),
    tags: [...(detail?.arcs ?? [])],
    isbn: "",
    links: linksOf(detail?.url),
    ...times(issue.addedAt),
    ...locks(lockNames),
  };
}

const linksOf = (url: string | undefined) =>
  url !== undefined && URL.canParse(url) ? [{ label: new URL(url).hostname, url }] : [];

export const authorsOf = (detail: Pick<IssueDetail, "credits"> | undefined) =>
  (detail?.credits ?? []).map(({ name, role }) => ({ name, role: role.toLowerCase() }));

function progressOf(state: ReadingState, pages: number): BookDocument["readProgress"] {
  const { completed, at } = state;
  const page = state.places.page?.page ?? Math.max(0, Math.ceil(state.fraction * pages) - 1);
  return { page: page + 1, completed, readDate: at, ...times(at), deviceId: "", deviceName: state.device };
}
