import type { z } from "zod";
import type { bookmarkSchema, chaptersSchema, infoSchema, progressSchema } from "./routes/shapes.js";

/* What the HTTP routes of this plugin answer, for its client. Types only: this entry has no code. */

export type AudiobookInfo = z.output<typeof infoSchema>;
export type AudiobookChapters = z.output<typeof chaptersSchema>;
export type AudiobookProgress = z.output<typeof progressSchema>;
export type AudiobookBookmark = z.output<typeof bookmarkSchema>;
