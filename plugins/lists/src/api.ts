import type { z } from "zod";
import type {
  importSchema,
  itemSchema,
  listDocumentSchema,
  listRowSchema,
  previewSchema,
  unmatchedSchema,
  wantSchema,
} from "./shapes.js";

/*
 * What the HTTP routes of this plugin answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type ListRow = z.output<typeof listRowSchema>;
export type ListDocument = z.output<typeof listDocumentSchema>;
export type Item = z.output<typeof itemSchema>;
export type Unmatched = z.output<typeof unmatchedSchema>;
export type Preview = z.output<typeof previewSchema>;
export type PreviewBook = Preview["books"][number];
export type ImportOutcome = z.output<typeof importSchema>;
export type WantOutcome = z.output<typeof wantSchema>;
