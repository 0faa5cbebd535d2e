import { z } from "zod";

const count = z.number();
const loose = <S extends z.ZodRawShape>(shape: S) => z.looseObject(shape);

/** `GET /api/stats` as the specification names it; plugins may add keys and fields. */
export const statsSchema = loose({
  files: loose({
    total: count,
    valid: count,
    corrupt: count,
    tagged: count,
    untagged: count,
    bytes: count,
    pages: count,
    formats: loose({ cbz: count, cbr: count, pdf: count, other: count }),
  }),
  collection: loose({
    series: count,
    followed: count,
    ownedIssues: count,
    byPublisher: z.array(loose({ publisher: z.string(), series: count, issues: count, files: count, bytes: count })),
  }),
  completion: loose({
    complete: count,
    incomplete: count,
    missingIssues: count,
    cvIssuesTotal: count,
    topGaps: z.array(loose({ id: count, title: z.string(), owned: count, total: count, missing: count })),
  }),
  comicvine: loose({
    source: z.string().nullable(),
    cached: count,
    matchedSeries: count,
    unmatchedSeries: count,
    matchedFiles: count,
    unmatchedFiles: count,
  }),
  activity: loose({
    grabs: z.record(z.string(), count),
    perDay: z.array(loose({ day: z.string(), grabs: count })),
    recent: z.array(z.unknown()),
  }),
});
export type Stats = z.output<typeof statsSchema>;

/** What stands in the answer when no plugin counts a thing: nothing is there, so the numbers are 0. */
export function emptyStats(today: Date): Stats {
  const day = (back: number) => new Date(today.getTime() - back * 86_400_000).toISOString().slice(0, 10);
  return {
    files: {
      total: 0,
      valid: 0,
      corrupt: 0,
      tagged: 0,
      untagged: 0,
      bytes: 0,
      pages: 0,
      formats: { cbz: 0, cbr: 0, pdf: 0, other: 0 },
    },
    collection: { series: 0, followed: 0, ownedIssues: 0, byPublisher: [] },
    completion: { complete: 0, incomplete: 0, missingIssues: 0, cvIssuesTotal: 0, topGaps: [] },
    comicvine: { source: null, cached: 0, matchedSeries: 0, unmatchedSeries: 0, matchedFiles: 0, unmatchedFiles: 0 },
    activity: {
      grabs: {},
      perDay: Array.from({ length: 14 }, (_, index) => ({ day: day(13 - index), grabs: 0 })),
      recent: [],
    },
  };
}
