import type { CollectionContract, Issue, IssueDetail } from "@longbox/collection/contract";
import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import { defineRoute, idListParameter, indexParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Audiobooks, BookFiles } from "../audiobooks.js";
import { audiobookType } from "../formats.js";
import { progressOf, type Listening } from "../listening.js";
import { access, infoSchema, statisticsSchema } from "./shapes.js";

interface Sources {
  readonly audiobooks: Audiobooks;
  readonly library: CollectionContract;
  readonly listening: Listening;
  readonly reading: ReadingContract;
}

const timeZone = z.string().max(64).refine(isTimeZone, "must be a time zone such as Europe/Berlin").default("UTC");

/** What is known of many books, and what the viewer listened to. */
export function overviewRoutes(sources: Sources): Route[] {
  return [infoRoute(sources), statisticsRoute(sources)];
}

function infoRoute({ audiobooks, library, listening }: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/audiobooks/info",
    access,
    summary: "Describe audiobooks by the ids of their issues",
    description: "Those that are unknown, hidden or not there are left out.",
    query: z.object({ issues: idListParameter }),
    response: z.array(infoSchema),
    handle: async ({ query, viewer }) => {
      const found = await library.findIssues([...new Set(query.issues)], viewer);
      const issues = found.filter(({ type, owned }) => owned && type === audiobookType);
      const ids = issues.map(({ id }) => id);
      const [files, details, progress] = await Promise.all([
        audiobooks.findFiles(ids),
        library.findIssueDetails(ids),
        listening.findProgress(viewer, ids),
      ]);
      const detailOf = new Map(details.map((detail) => [detail.issueId, detail]));
      return issues.flatMap((issue) => {
        const book = files.get(issue.id);
        return book ? [infoOf(issue, book, { detail: detailOf.get(issue.id), state: progress.get(issue.id) })] : [];
      });
    },
  });
}

interface Known {
  readonly detail: IssueDetail | undefined;
  readonly state: ReadingState | undefined;
}

function infoOf(issue: Issue, files: BookFiles, { detail, state }: Known): z.input<typeof infoSchema> {
  const named = (role: string) =>
    (detail?.credits ?? []).filter((credit) => credit.role === role).map(({ name }) => name);
  const authors = named("author");
  const title = issue.title ?? issue.label.full;
  const hasSeries = issue.seriesTitle !== title && !authors.includes(issue.seriesTitle);
  return {
    id: issue.id,
    cvIssueId: issue.cvIssueId,
    title,
    authors,
    narrators: named("narrator"),
    ...(hasSeries && { series: issue.seriesTitle }),
    ...(issue.number !== "" && { number: issue.number }),
    duration: files.duration,
    size: files.sizeBytes,
    format: files.format,
    codec: files.codec,
    cover: `/api/audiobooks/issue/${issue.id}/cover`,
    progress: state ? progressOf(state, files.duration) : null,
  };
}

function statisticsRoute({ reading }: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/audiobooks/stats",
    access,
    summary: "What the viewer listened to, by days of a time zone",
    query: z.object({ timeZone, days: indexParameter.pipe(z.number().int().min(1).max(366)).default(30) }),
    response: statisticsSchema,
    handle: async ({ query, viewer }) => {
      const found = await reading.statistics(viewer, { ...query, types: [audiobookType] });
      return {
        finished: found.finished,
        reading: found.begun,
        seconds: found.seconds,
        streakDays: found.streak.current,
        perDay: found.days.map(({ day, seconds }) => ({ day, seconds })),
      };
    },
  });
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}
