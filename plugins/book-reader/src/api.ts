import type { z } from "zod";
import type { openBookSchema } from "./routes.js";

/* What the HTTP routes of this plugin answer, for its client. Types only: this entry has no code. */

export type OpenBook = z.output<typeof openBookSchema>;
export type { Layout } from "./layout.js";
