import type { z } from "zod";
import type { neighbourSchema, openDocumentSchema } from "./open-document.js";
import type { PageNote as PageNoteRecord } from "./note-records.js";
import type { Opinion as OpinionRecord } from "./opinion-records.js";
import type { directions, fits, modes } from "./preferences.js";
import type { seriesReadingSchema } from "./routes/series-routes.js";
import type { bookmarkSchema } from "./routes/shelf-routes.js";
import type { issueSchema, progressSchema, shelfItemSchema } from "./shelf-items.js";
import type { statisticsSchema } from "./statistics.js";

/*
 * What the HTTP routes of this plugin answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type Mode = (typeof modes)[number];
export type Direction = (typeof directions)[number];
export type Fit = (typeof fits)[number];
export type Progress = z.output<typeof progressSchema>;
export type IssueSummary = z.output<typeof issueSchema>;
export type ShelfItem = z.output<typeof shelfItemSchema>;
export type Neighbour = z.output<typeof neighbourSchema>;
export type OpenIssue = z.output<typeof openDocumentSchema>;
export type SeriesReading = z.output<typeof seriesReadingSchema>;
export type PageNote = PageNoteRecord;
export type Opinion = OpinionRecord;
export type Diary = z.output<typeof statisticsSchema>;
export type DiaryDay = Diary["days"][number];
export type DiarySeries = Diary["series"][number];
export type Bookmark = z.output<typeof bookmarkSchema>;
