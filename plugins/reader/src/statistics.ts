import type { ReadingStatistics } from "@longbox/reading/contract";
import { z } from "zod";

export const statisticsSchema = z.object({
  timeZone: z.string(),
  issuesFinished: z.number().int().meta({ description: "Every finish counts, also a second one of the same issue" }),
  issuesBegun: z.number().int(),
  pagesRead: z.number().int(),
  streak: z
    .object({ current: z.number().int(), longest: z.number().int() })
    .meta({ description: "Days in a row on which something was read" }),
  days: z.array(z.object({ day: z.string(), pages: z.number().int(), finished: z.number().int() })),
  series: z.array(
    z.object({ seriesId: z.number().int(), series: z.string(), pages: z.number().int(), finished: z.number().int() }),
  ),
});
export type Statistics = z.output<typeof statisticsSchema>;

export function statisticsDocument(timeZone: string, statistics: ReadingStatistics): Statistics {
  const { finished, begun, pages, streak, days, series } = statistics;
  return {
    timeZone,
    issuesFinished: finished,
    issuesBegun: begun,
    pagesRead: pages,
    streak,
    days: days.map((day) => ({ day: day.day, pages: day.pages, finished: day.finished })),
    series: series.map((one) => ({
      seriesId: one.seriesId,
      series: one.title,
      pages: one.pages,
      finished: one.finished,
    })),
  };
}
