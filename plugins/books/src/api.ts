import type { z } from "zod";
import type { bookmarkSchema } from "./routes/bookmark-routes.js";
import type { bookSchema, statisticsSchema } from "./routes/list-routes.js";
import type { placeSchema, progressSchema } from "./routes/progress-routes.js";

/* What the HTTP routes of this plugin answer, for clients. Types only: this entry has no code. */

export type BookDocument = z.output<typeof bookSchema>;
export type BookProgress = z.output<typeof progressSchema>;
export type BookPlace = z.output<typeof placeSchema>;
export type BookBookmark = z.output<typeof bookmarkSchema>;
export type BookStatistics = z.output<typeof statisticsSchema>;
