import type { ReadingState } from "@longbox/reading/contract";
import { z } from "zod";
import { instant } from "./book.js";

const short = z.string().max(500);
const locationSchema = z.object({ Value: short.nullish(), Type: short.nullish(), Source: short.nullish() });
export type Location = z.output<typeof locationSchema>;

const prefix = "kobo:";

/** A position in a book in the notation of Kobo, as `reading` keeps it. */
export const locatorOf = (location: Location | null | undefined): string =>
  location?.Value || location?.Source ? prefix + JSON.stringify(location) : "";

/** Undefined for positions of other programs. */
export function locationOf(locator: string | undefined): Location | undefined {
  return locator?.startsWith(prefix) ? locationSchema.parse(JSON.parse(locator.slice(prefix.length))) : undefined;
}

/** Changes whenever the e-reader has to be told. */
export const stateKey = (state: ReadingState | undefined): string =>
  state === undefined ? "" : `${state.at} ${state.fraction} ${state.completed}`;

/** @param state - undefined for a book that was not started, or is marked as unread */
export function readingState(id: string, state: ReadingState | undefined) {
  const at = instant(state?.at ?? new Date().toISOString());
  const location = locationOf(state?.places.locator?.locator);
  return {
    EntitlementId: id,
    Created: at,
    LastModified: at,
    PriorityTimestamp: at,
    StatusInfo: {
      LastModified: at,
      Status: statusOf(state),
      TimesStartedReading: state === undefined ? 0 : state.timesFinished + (state.completed ? 0 : 1),
    },
    Statistics: { LastModified: at },
    CurrentBookmark: {
      LastModified: at,
      ProgressPercent: Math.round((state?.fraction ?? 0) * 100),
      ...(location && { Location: location }),
    },
  };
}

function statusOf(state: ReadingState | undefined): "ReadyToRead" | "Reading" | "Finished" {
  if (state === undefined) return "ReadyToRead";
  return state.completed ? "Finished" : "Reading";
}

const percent = z.number().min(0).max(100).nullish();
const time = z.string().max(40).nullish();

/** What an e-reader tells of a book. */
export const toldStateSchema = z.object({
  EntitlementId: z.string().max(100).optional(),
  LastModified: time,
  StatusInfo: z
    .object({ LastModified: time, Status: z.enum(["ReadyToRead", "Reading", "Finished"]).optional() })
    .nullish(),
  CurrentBookmark: z
    .object({
      LastModified: time,
      ProgressPercent: percent,
      /** Of the chapter. */
      ContentSourceProgressPercent: percent,
      Location: locationSchema.nullish(),
    })
    .nullish(),
});
export type ToldState = z.output<typeof toldStateSchema>;
