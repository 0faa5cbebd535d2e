import { z } from "zod";
import type { Category } from "./contract.js";

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:30");

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const timeZone = z.string().max(64).refine(isTimeZone, "must be a time zone such as Europe/Berlin");

const choiceSchema = z.object({
  /** Whether it shows in the interface. */
  inApp: z.boolean().default(true),
  /** The ids of the addresses that it is sent to. */
  addresses: z.array(z.number().int().positive()).max(20).default([]),
});

/** Which notifications a user gets, and where. */
export const preferencesSchema = z.object({
  import: choiceSchema.prefault({}),
  failure: choiceSchema.prefault({}),
  release: choiceSchema.prefault({}),
  request: choiceSchema.prefault({}),
  system: choiceSchema.prefault({}),
  /** Whether imports of all series are announced, or only those of followed series. */
  imports: z.enum(["followed", "all"]).default("all"),
  /** The quiet hours of addresses; messages of that time are sent afterwards. */
  quiet: z.object({ from: clock, to: clock, timeZone }).nullable().default(null),
});
export type Preferences = z.output<typeof preferencesSchema>;

export const categories = ["import", "failure", "release", "request", "system"] as const satisfies readonly Category[];

/** When a message may be sent: at once, or at the end of the quiet hours. @param at - milliseconds since 1970 */
export function afterQuietHours(at: number, quiet: Preferences["quiet"]): number {
  if (!quiet || quiet.from === quiet.to) return at;
  const now = minuteOfDay(at, quiet.timeZone);
  const from = minutesOf(quiet.from);
  const to = minutesOf(quiet.to);
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to;
  if (!isQuiet) return at;
  const wait = (to - now + day) % day;
  const end = at - (at % 60_000) + wait * 60_000;
  // Across a change to or from daylight saving time, quiet hours follow the local time.
  const off = ((to - minuteOfDay(end, quiet.timeZone) + day + day / 2) % day) - day / 2;
  return end + off * 60_000;
}

const day = 24 * 60;

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

function minuteOfDay(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return minutesOf(parts.format(at));
}
