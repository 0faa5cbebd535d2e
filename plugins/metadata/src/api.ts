import type { z } from "zod";
import type { arcRowSchema, candidateSchema, matchSchema, volumeRowSchema } from "./shapes.js";

/*
 * What the HTTP routes of this plugin answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type VolumeRow = z.output<typeof volumeRowSchema>;
export type VolumeCandidate = z.output<typeof candidateSchema>;
export type MatchAnswer = z.output<typeof matchSchema>;
export type ArcRow = z.output<typeof arcRowSchema>;
