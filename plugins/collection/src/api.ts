import type { z } from "zod";
import type {
  countsSchema,
  holdingSchema,
  issueDocumentSchema,
  issueRowSchema,
  librarySchema,
  seriesDocumentSchema,
  seriesRowSchema,
  wantedRowSchema,
} from "./answers/shapes.js";
import type { splitSeriesSchema } from "./joining/joining-routes.js";
import type { folderSchema, libraryListSchema } from "./routes/library-routes.js";

/*
 * What the HTTP routes of this plugin answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type SeriesRow = z.output<typeof seriesRowSchema>;
export type SeriesDocument = z.output<typeof seriesDocumentSchema>;
export type IssueRow = z.output<typeof issueRowSchema>;
export type IssueDocument = z.output<typeof issueDocumentSchema>;
export type IssueFile = z.output<typeof holdingSchema>;
export type CollectionCounts = z.output<typeof countsSchema>;
export type WantedRow = z.output<typeof wantedRowSchema>;
export type LibraryRow = z.output<typeof librarySchema>;
export type LibraryList = z.output<typeof libraryListSchema>;
export type FolderListing = z.output<typeof folderSchema>;
export type SplitSeriesOffers = z.output<typeof splitSeriesSchema>;
export type Monitor = SeriesRow["monitor"];
export type { Letters } from "./routes/list-routes.js";
export type { SearchAnswer } from "./routes/search-routes.js";
export type { Forms } from "./routes/form-routes.js";
