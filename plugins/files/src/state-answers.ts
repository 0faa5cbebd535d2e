import { z } from "zod";
import type { Viewer } from "@longbox/sdk";
import type { RunningState } from "./running-state.js";

/** What every answer about running work looks like. */
export const runningStateSchema = z.object({
  running: z.boolean(),
  done: z.number().int(),
  total: z.number().int(),
  message: z.string().optional(),
  error: z.string().optional(),
  startedAt: z.string().optional(),
});

/** Messages name libraries, series and files, of which some may be hidden from the viewer. */
export function stateFor(state: RunningState, viewer: Viewer): RunningState {
  const { running, done, total, message, error, startedAt } = state;
  const open = { running, done, total, ...(startedAt !== undefined && { startedAt }) };
  if (!viewer.may("library.manage") || !viewer.seesRestricted) return open;
  return { ...open, ...(message !== undefined && { message }), ...(error !== undefined && { error }) };
}
