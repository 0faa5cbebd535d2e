import { z } from "zod";

/** What the inspector keeps beside a file (`Inspection.details`), and what the plugin gets back from `files.engine`. */
export const detailsSchema = z.object({ encoding: z.enum(["utf-8", "windows-1252"]) });
export type TextDetails = z.output<typeof detailsSchema>;
