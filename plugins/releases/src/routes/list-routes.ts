import type { MetadataContract } from "@longbox/metadata/contract";
import { defineRoute, idParameter, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Checking } from "../crawling/checking.js";
import type { Downloading } from "../downloading.js";
import { badField } from "../errors.js";
import { releaseListSchema, type releaseSchema } from "../shapes.js";
import type { MatchedRelease } from "../showing/matching.js";
import { shown, type Releases } from "../showing/releases.js";
import { addMonths, addWeeks, dayOf, isDay, rangeOfMonth, rangeOfWeek, weekOf, type Range } from "../weeks.js";

export interface ListRouteParts {
  readonly releases: Releases;
  readonly checking: Checking;
  readonly downloading: Downloading;
  readonly metadata: Pick<MetadataContract, "readIssueCover">;
}

export function listRoutes(parts: ListRouteParts): Route[] {
  return [listRoute(parts), coverRoute(parts), checkRoute(parts), downloadRoute(parts)];
}

function listRoute({ releases }: ListRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/releases",
    access: "library.view",
    summary: "What comes out in a week or a month, and what of it is yours",
    description:
      "`week` is an ISO week such as 2026-W48 or a day of it, `month` such as 2026-11; without both, this week.",
    query: z.object({
      week: z.string().max(20).optional(),
      month: z.string().max(20).optional(),
      show: z.enum(shown).default("all"),
      publisher: z.string().max(300).optional(),
      q: z.string().trim().max(200).optional(),
    }),
    response: releaseListSchema,
    async handle({ query: { week, month, show, publisher, q }, viewer }) {
      const range = rangeOf(week, month);
      const { checkedAt, releases: found } = await releases.list({ range, show, publisher, q }, viewer);
      const beside = (step: number) =>
        month === undefined ? addWeeks(weekOf(range.from), step) : addMonths(month, step);
      return {
        week: month === undefined ? weekOf(range.from) : null,
        month: month ?? null,
        ...range,
        previous: beside(-1),
        next: beside(1),
        checkedAt: checkedAt === undefined ? null : new Date(checkedAt).toISOString(),
        releases: found.map(toRow),
      };
    },
  });
}

/** @throws {BadInput} */
function rangeOf(week: string | undefined, month: string | undefined): Range {
  if (week !== undefined && month !== undefined) throw badField("month", "not together with week");
  if (month !== undefined) {
    const found = rangeOfMonth(month);
    if (!found) throw badField("month", "must be a month such as 2026-11");
    return found;
  }
  const asked = week ?? dayOf(Date.now());
  const found = rangeOfWeek(isDay(asked) ? weekOf(asked) : asked);
  if (!found) throw badField("week", "must be a week such as 2026-W48, or a day of it");
  return found;
}

function coverRoute({ releases, metadata }: ListRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/releases/{cvIssueId}/cover",
    access: "library.view",
    summary: "The provider's cover of a release",
    params: z.object({ cvIssueId: idParameter }),
    responseType: "image/*",
    async handle({ params: { cvIssueId }, viewer }) {
      await releases.get(cvIssueId, viewer);
      const { content, validator } = await metadata.readIssueCover(cvIssueId);
      return reply.content(content, { maxAgeSeconds: 86_400, validator });
    },
  });
}

function checkRoute({ checking }: ListRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/releases/check",
    access: "library.manage",
    summary: "Ask the provider what comes out: this week, the next and what is due, or one week",
    body: z.object({ week: z.string().max(20).optional() }).optional(),
    response: z.object({
      /** False where a check was under way already. */
      started: z.boolean(),
      jobId: z.number().int(),
    }),
    async handle({ body }) {
      const week = body?.week === undefined ? undefined : weekOf(rangeOf(body.week, undefined).from);
      return await checking.check(week);
    },
  });
}

function downloadRoute({ downloading }: ListRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/releases/download",
    access: "downloads.grab",
    summary: "Want a release that is not owned, and queue it where a plugin gets what is wanted",
    description: "409 with `seriesId` when the library has it. `track` tracks and follows the whole series.",
    body: z.object({ cvIssueId: z.number().int().positive(), track: z.boolean().default(false) }),
    response: z.object({ seriesId: z.number().int(), queued: z.number().int() }),
    handle: ({ body, viewer }) => downloading.download(body, viewer),
  });
}

function toRow(matched: MatchedRelease): z.input<typeof releaseSchema> {
  const { release, issue, seriesId, tracked, owned, wanted, followed, first, mine } = matched;
  const provided = release.has_image === 1 ? `/api/releases/${release.id}/cover` : null;
  return {
    cvId: release.volume_id,
    cvIssueId: release.id,
    seriesId: seriesId ?? null,
    series: issue?.seriesTitle ?? release.volume_name,
    number: issue?.number ?? release.number,
    title: issue?.title ?? release.title,
    publisher: release.publisher,
    storeDate: release.store_date,
    tracked,
    owned,
    wanted,
    followed,
    first,
    mine,
    cover: owned && issue ? `/api/issue/${issue.cvIssueId}/cover` : provided,
  };
}
