import type { ReadingState } from "@longbox/reading/contract";
import { z } from "zod";
import type { ShelvedSeries } from "../shelving/shelved-series.js";
import { authorSchema, instant, linkSchema, releaseDate, times } from "./common.js";

const lockNames = [
  "ageRating",
  "alternateTitles",
  "genres",
  "language",
  "links",
  "publisher",
  "readingDirection",
  "sharingLabels",
  "status",
  "summary",
  "tags",
  "title",
  "titleSort",
  "totalBookCount",
] as const;

/** Apps cannot edit metadata here, but expect every lock. */
export const locks = <N extends string>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [`${name}Lock`, false])) as Record<`${N}Lock`, boolean>;
export const lockSchemas = <N extends string>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [`${name}Lock`, z.boolean()])) as Record<`${N}Lock`, z.ZodBoolean>;

const metadataSchema = z.object({
  status: z.enum(["ONGOING", "ENDED", "ABANDONED", "HIATUS"]),
  title: z.string(),
  titleSort: z.string(),
  summary: z.string(),
  readingDirection: z.enum(["LEFT_TO_RIGHT", "RIGHT_TO_LEFT", "VERTICAL", "WEBTOON"]),
  publisher: z.string(),
  language: z.string(),
  genres: z.array(z.string()),
  tags: z.array(z.string()),
  sharingLabels: z.array(z.string()),
  links: z.array(linkSchema),
  alternateTitles: z.array(z.object({ label: z.string(), title: z.string() })),
  created: instant,
  lastModified: instant,
  ...lockSchemas(lockNames),
});

export const seriesSchema = z.object({
  id: z.string(),
  libraryId: z.string(),
  name: z.string(),
  url: z.string(),
  created: instant,
  lastModified: instant,
  fileLastModified: instant,
  booksCount: z.number().int(),
  booksReadCount: z.number().int(),
  booksUnreadCount: z.number().int(),
  booksInProgressCount: z.number().int(),
  metadata: metadataSchema,
  booksMetadata: z.object({
    authors: z.array(authorSchema),
    tags: z.array(z.string()),
    releaseDate: z.string().optional(),
    summary: z.string(),
    summaryNumber: z.string(),
    created: instant,
    lastModified: instant,
  }),
  deleted: z.boolean(),
  oneshot: z.boolean(),
});
export type SeriesDocument = z.output<typeof seriesSchema>;

/** @param states - of the series' books that the viewer has started */
export function seriesDocument(series: ShelvedSeries, states: readonly ReadingState[]): SeriesDocument {
  const read = states.filter(({ completed }) => completed).length;
  const booksCount = series.bookIds.length;
  return {
    id: String(series.id),
    libraryId: String(series.libraryId),
    name: series.title,
    url: "",
    ...times(series.addedAt),
    lastModified: series.changedAt,
    fileLastModified: series.changedAt,
    booksCount,
    booksReadCount: read,
    booksInProgressCount: states.length - read,
    booksUnreadCount: booksCount - states.length,
    metadata: metadataOf(series),
    booksMetadata: {
      authors: [...series.authors],
      tags: [...series.tags],
      releaseDate: releaseDate(series.firstDate),
      summary: series.summary,
      summaryNumber: series.summaryNumber,
      ...times(series.addedAt),
    },
    deleted: false,
    oneshot: false,
  };
}

function metadataOf(series: ShelvedSeries): SeriesDocument["metadata"] {
  return {
    status: series.hasEnded ? "ENDED" : "ONGOING",
    title: series.title,
    titleSort: series.sortTitle,
    summary: "",
    readingDirection: series.type === "manga" ? "RIGHT_TO_LEFT" : "LEFT_TO_RIGHT",
    publisher: series.publisher,
    language: series.language,
    genres: [...series.genres],
    tags: [],
    sharingLabels: [],
    links: [],
    alternateTitles: series.aliases.map((title) => ({ label: "", title })),
    ...times(series.addedAt),
    ...locks(lockNames),
  };
}
