import type { z } from "zod";
import type { findingSchema, jobSchema, scheduleSchema, startedSchema, toolSchema } from "./shapes.js";
import type { logLineSchema } from "./support/log-routes.js";

/*
 * What the HTTP routes of this plugin answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type Job = z.output<typeof jobSchema>;
export type StartedJob = z.output<typeof startedSchema>;
export type Schedule = z.output<typeof scheduleSchema>;
export type Tool = z.output<typeof toolSchema>;
export type Finding = z.output<typeof findingSchema>;
export type LogLine = z.output<typeof logLineSchema>;
