import { z } from "zod";

const offset = z.number().int().nonnegative();

/** Where the cover lies in the file. Sizes and offsets are bytes. */
export const coverPlaceSchema = z.discriminatedUnion("kind", [
  /** An image as it is. */
  z.object({ kind: z.literal("bytes"), offset, length: offset }),
  /** An entry of a ZIP, by its local header. */
  z.object({ kind: z.literal("entry"), offset, packedBytes: offset, sizeBytes: offset, isDeflated: z.boolean() }),
  /** A binary of a FictionBook, which is read again to get it. */
  z.object({ kind: z.literal("binary"), id: z.string().max(1000) }),
]);
export type CoverPlace = z.output<typeof coverPlaceSchema>;

/** Schemes of protection. `unknown` stands for one that only the seller's program knows. */
export const protections = ["adobe", "amazon", "apple", "barnes-noble", "kobo", "lcp", "password", "unknown"] as const;
export type Protection = (typeof protections)[number];

/** What the inspector keeps beside a file (`Inspection.details`), and what the plugin gets back from `files.engine`. */
export const detailsSchema = z.object({
  cover: coverPlaceSchema.optional(),
  protection: z.enum(protections).optional(),
  /** Pages, of a format that has them. */
  pages: z.number().int().positive().optional(),
  /** Chosen by the book: pages turn from right to left. */
  rightToLeft: z.boolean().optional(),
  /** Pages are laid out by the book, not by the reading program. */
  fixedLayout: z.boolean().optional(),
});
export type BookDetails = z.output<typeof detailsSchema>;
