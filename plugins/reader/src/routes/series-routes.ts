import type { CollectionContract } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import { defineRoute, idParameter, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { everySeries, preferenceSchema, type Preferences } from "../preferences.js";
import { SeriesNotFound } from "../reader-errors.js";
import { progressDocument, progressSchema, shelfItem, shelfItemSchema, withFormats } from "../shelf-items.js";

const access = "reader.read";
const params = z.object({ seriesId: idParameter });
const change = preferenceSchema.partial();

export const seriesReadingSchema = z.object({
  seriesId: z.number().int(),
  preferences: preferenceSchema,
  progress: z.array(
    progressSchema.pick({ page: true, pages: true, completed: true }).extend({ cvIssueId: z.number().int() }),
  ),
  read: z.number().int(),
  next: shelfItemSchema
    .nullable()
    .meta({ description: "The issue to continue with: the most recently read open one, else the first unread one" }),
});

interface Sources {
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
  readonly preferences: Preferences;
}

/** How the viewer reads a series, and how far. */
export function seriesRoutes(sources: Sources): Route[] {
  return [...singleSeriesRoutes(sources), ...generalRoutes(sources)];
}

function singleSeriesRoutes(sources: Sources): Route[] {
  const { preferences } = sources;
  return [
    defineRoute({
      method: "GET",
      path: "/api/reader/series/{seriesId}",
      access,
      summary: "Read the viewer's progress in a series, and the next issue",
      params,
      response: seriesReadingSchema,
      handle: ({ params: { seriesId }, viewer }) => readSeries(sources, seriesId, viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/reader/series/{seriesId}/preferences",
      access,
      summary: "Choose how to read a series",
      description: "Fields that are left out stay; null leaves the choice to the viewer's general preferences.",
      params,
      body: change,
      response: preferenceSchema,
      handle: async ({ params: { seriesId }, body, viewer }) => {
        await requireSeries(sources.library, seriesId, viewer);
        const [issue] = await sources.library.listIssues(seriesId, viewer);
        return preferences.choose(viewer.user.id, { seriesId, issueId: issue?.id }, given(body));
      },
    }),
  ];
}

function generalRoutes({ preferences }: Sources): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/reader/preferences",
      access,
      summary: "How the viewer reads series that have no choice of their own",
      response: preferenceSchema,
      handle: ({ viewer }) => preferences.find(viewer.user.id, everySeries),
    }),
    defineRoute({
      method: "POST",
      path: "/api/reader/preferences",
      access,
      summary: "Choose how to read series that have no choice of their own",
      body: change,
      response: preferenceSchema,
      handle: ({ body, viewer }) =>
        preferences.choose(viewer.user.id, { seriesId: everySeries, issueId: undefined }, given(body)),
    }),
  ];
}

async function readSeries(
  { library, reading, preferences }: Sources,
  seriesId: number,
  viewer: Viewer,
): Promise<z.output<typeof seriesReadingSchema>> {
  await requireSeries(library, seriesId, viewer);
  const issues = await library.listIssues(seriesId, viewer);
  const found = await reading.find(
    viewer,
    issues.map((issue) => issue.id),
  );
  const states = new Map(found.map((state) => [state.issueId, state]));
  const readable = issues.filter((issue) => issue.owned && !issue.corrupt);
  const open = readable
    .filter((issue) => states.get(issue.id)?.completed === false)
    .sort((one, other) => (states.get(other.id)!.at > states.get(one.id)!.at ? 1 : -1))[0];
  const next = open ?? readable.find((issue) => !states.has(issue.id));
  return {
    seriesId,
    preferences: await preferences.find(viewer.user.id, seriesId),
    progress: issues.flatMap((issue) => {
      const state = states.get(issue.id);
      if (!state) return [];
      const { page, pages, completed } = progressDocument(state);
      return [{ cvIssueId: issue.cvIssueId, page, pages, completed }];
    }),
    read: found.filter(({ completed }) => completed).length,
    next: (next && (await withFormats(library, [shelfItem(next, states.get(next.id))]))[0]) ?? null,
  };
}

async function requireSeries(library: CollectionContract, seriesId: number, viewer: Viewer): Promise<void> {
  if (!(await library.findSeries(seriesId, viewer))) throw new SeriesNotFound(seriesId);
}

/** The fields that were sent; zod gives those that were not as undefined keys. */
function given<T extends object>(body: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
