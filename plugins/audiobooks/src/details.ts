import { z } from "zod";

const whole = z.number().int().nonnegative();

/** One file of a book. `start` and `length` are the bytes of an MP3 file without its tags, which can be joined. */
const partSchema = z.object({
  /** Below the folder of the book; empty for a book that is one file. */
  name: z.string(),
  sizeBytes: whole,
  milliseconds: whole,
  start: whole.optional(),
  length: whole.optional(),
});

/** What the inspector keeps beside a book (`Inspection.details`), and what the plugin gets back from `files.engine`. */
export const detailsSchema = z.object({
  codec: z.string(),
  parts: z.array(partSchema).min(1),
  chapters: z.array(z.tuple([whole, z.string()])).min(1),
  /** The picture in the file: which part holds it, and where. */
  picture: z.object({ part: whole, offset: whole, length: whole }).optional(),
  /** The part whose comments contain a picture, as base64 rather than a byte range. */
  pictureComment: whole.optional(),
  /** The name of an image in the folder. */
  image: z.string().optional(),
});
export type AudioDetails = z.output<typeof detailsSchema>;
export type AudioPart = z.output<typeof partSchema>;
