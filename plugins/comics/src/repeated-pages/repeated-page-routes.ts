import { defineRoute, NotFound, reply, type Content, type Route, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { z } from "zod";
import type { Deciding } from "./deciding.js";
import type { PicturePlace, RepeatedPicture, RepeatedPictures } from "./repeated-pictures.js";

/** Of each picture, places are looked for among this many, and these are shown. */
const consideredPlaces = 200;
const shownPlaces = 4;

const access = "library.manage";
const hash = z.string().regex(/^[0-9a-f]{32}$/);
const params = z.object({ hash });
const stateSchema = z.enum(["open", "hidden", "kept"]);

const placeSchema = z.object({
  issueId: z.number().int(),
  seriesId: z.number().int(),
  label: z.string(),
  /** Counted from 0, among all pages of the file. */
  page: z.number().int(),
  /** Where the page's image is. */
  image: z.string(),
});
const pictureSchema = z.object({
  hash: z.string(),
  state: stateSchema,
  /** How many issues have it. */
  issues: z.number().int(),
  places: z.array(placeSchema),
});
export const repeatedPagesSchema = z.object({ pictures: z.array(pictureSchema), total: z.number().int() });
export const decidedPictureSchema = z.object({ hash: z.string(), state: stateSchema, hiddenPages: z.number().int() });

export interface RepeatedPageParts {
  readonly pictures: RepeatedPictures;
  readonly deciding: Deciding;
  readonly collection: Pick<CollectionContract, "findIssues">;
  /** Reads a page of a file, small where images can be resized. */
  readonly readPage: (place: PicturePlace) => Promise<Content>;
}

/** Routes for pages that repeat in many issues, such as advertisements of the groups that scanned them. */
export function repeatedPageRoutes(parts: RepeatedPageParts): Route[] {
  return [listRoute(parts), imageRoute(parts), decideRoute(parts)];
}

function listRoute(parts: RepeatedPageParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/library/repeated-pages",
    access,
    summary: "Pictures that are pages of many issues of different series, most frequent first",
    description:
      "Found among the first and last pages by the tool `find-repeated-pages`. `state` is `open` for those to be decided, `hidden` and `kept` for those that were.",
    query: z.object({ state: stateSchema.default("open"), limit: z.coerce.number().int().min(1).max(100).default(30) }),
    response: repeatedPagesSchema,
    async handle({ query: { state, limit }, viewer }) {
      const all = await parts.pictures.list(state);
      const shown = await Promise.all(all.slice(0, limit).map((picture) => describe(parts, picture, viewer)));
      return { pictures: shown.filter((picture) => picture.places.length > 0), total: all.length };
    },
  });
}

function imageRoute(parts: RepeatedPageParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/library/repeated-pages/{hash}/image",
    access,
    summary: "A repeated page as it is in one issue",
    params,
    query: z.object({ issueId: z.coerce.number().int() }),
    responseType: "image/*",
    async handle({ params, query: { issueId }, viewer }) {
      const picture = await parts.pictures.get(params.hash);
      const places = await visiblePlaces(parts, picture, viewer);
      const found = places.find(({ issue }) => issue.id === issueId);
      if (!found)
        throw new NotFound("comics/no-such-picture", "There is no such repeated page in this issue.", { issueId });
      return reply.content(await parts.readPage(found.place), {});
    },
  });
}

function decideRoute({ deciding }: RepeatedPageParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/library/repeated-pages/{hash}",
    access,
    summary: "Hide a repeated page in all issues, keep it, or take the decision back",
    description:
      "`hidden` leaves the page out wherever issues are read and counted; files are not changed. `kept` stops asking. `open` takes either back.",
    params,
    body: z.object({ state: stateSchema }),
    response: decidedPictureSchema,
    async handle({ params, body: { state } }) {
      return { hash: params.hash, state, hiddenPages: await deciding.decide(params.hash, state) };
    },
  });
}

async function describe(parts: RepeatedPageParts, picture: RepeatedPicture, viewer: Viewer) {
  const places = await visiblePlaces(parts, picture, viewer);
  const image = (issue: Issue) => `/api/library/repeated-pages/${picture.hash}/image?issueId=${issue.id}`;
  // One for each series first: that it repeats in different series is what shows that it belongs to none.
  const [first, others] = Object.values(Object.groupBy(places, ({ issue }) => issue.seriesId)).reduce<
    [typeof places, typeof places]
  >(
    ([heads, tails], some = []) => [
      [...heads, ...some.slice(0, 1)],
      [...tails, ...some.slice(1)],
    ],
    [[], []],
  );
  return {
    hash: picture.hash,
    state: picture.state,
    issues: viewer.seesRestricted ? picture.issues : places.length,
    places: [...first, ...others].slice(0, shownPlaces).map(({ issue, place }) => ({
      ...{ issueId: issue.id, seriesId: issue.seriesId, label: issue.label.full },
      ...{ page: place.page, image: image(issue) },
    })),
  };
}

/** One place for each issue that the viewer may see. */
async function visiblePlaces({ pictures, collection }: RepeatedPageParts, picture: RepeatedPicture, viewer: Viewer) {
  const places = new Map<number, PicturePlace>();
  for (const place of await pictures.places(picture, consideredPlaces)) places.set(place.issueId, place);
  const issues = await collection.findIssues([...places.keys()], viewer);
  return issues.flatMap((issue) => {
    const place = places.get(issue.id);
    return place ? [{ issue, place }] : [];
  });
}
