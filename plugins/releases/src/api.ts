import type { z } from "zod";
import type { feedKeySchema, madeKeySchema, publisherSchema, releaseListSchema, releaseSchema } from "./shapes.js";

/*
 * What the HTTP routes of this plugin answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type Release = z.output<typeof releaseSchema>;
export type ReleaseList = z.output<typeof releaseListSchema>;
export type Publisher = z.output<typeof publisherSchema>;
export type FeedKey = z.output<typeof feedKeySchema>;
export type MadeKey = z.output<typeof madeKeySchema>;
