import { BadInput } from "@longbox/sdk";
import { z } from "zod";
import type { ReadingReport } from "./contract.js";
import type { Report } from "./progress/merging.js";

const longestLocator = 4000;
const mostPages = 1_000_000;
/** Three years. */
const mostSeconds = 100_000_000;

const seconds = z.number().min(0).max(mostSeconds);

export const positionSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("page"),
      page: z.number().int().min(0).max(mostPages),
      pages: z.number().int().min(1).max(mostPages),
    }),
    z.object({
      kind: z.literal("locator"),
      locator: z.string().max(longestLocator),
      fraction: z.number().min(0).max(1),
      pages: z.number().int().min(1).max(mostPages).optional(),
    }),
    z.object({ kind: z.literal("time"), seconds, duration: seconds }),
  ])
  .refine((position) => position.kind !== "page" || position.page < position.pages, {
    path: ["page"],
    error: "must be less than pages",
  });

const reportSchema = z.object({
  position: positionSchema,
  device: z.string().min(1).max(200),
  at: z.iso.datetime({ offset: true }).optional(),
  completed: z.boolean().optional(),
  mayGoBack: z.boolean().default(false),
  onlyForward: z.boolean().default(false),
  restart: z.boolean().default(false),
});

/** Times before this come from a clock that was reset and are replaced by the current time. */
const earliest = Date.UTC(2000, 0, 1);

/**
 * Checks a report. Its time is never in the future.
 * @throws {BadInput} `reading/wrong-field` names the invalid fields
 */
export function readReport(report: ReadingReport, now: number): Report {
  const read = reportSchema.safeParse(report);
  if (!read.success) throw new WrongReport(read.error);
  const { at: told, ...rest } = read.data;
  const at = told === undefined ? now : Date.parse(told);
  return { ...rest, completed: rest.completed, at: at < earliest ? now : Math.min(now, at) };
}

class WrongReport extends BadInput {
  constructor({ issues }: z.ZodError) {
    const details = Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
    super("reading/wrong-field", `The report is invalid: ${issues[0]?.message ?? "unknown"}.`, details);
  }
}
