import type { z } from "zod";
import type { statsSchema } from "./shapes.js";

/*
 * What the HTTP routes of this plugin answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type Stats = z.output<typeof statsSchema>;
export type Publisher = Stats["collection"]["byPublisher"][number];
export type Gap = Stats["completion"]["topGaps"][number];
export type Day = Stats["activity"]["perDay"][number];
