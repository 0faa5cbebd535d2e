import type { z } from "zod";
import type { bookSchema, partSchema } from "./routes.js";

/* What the HTTP routes of this plugin answer, for its client. Types only: this entry has no code. */

export type TextBook = z.output<typeof bookSchema>;
export type TextBookPart = z.output<typeof partSchema>;
