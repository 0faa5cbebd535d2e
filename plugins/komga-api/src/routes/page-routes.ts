import type { CoverSubject, CoversContract } from "@longbox/collection/contract";
import type { PagesContract, RenderedPagesContract } from "@longbox/comics/contract";
import { defineRoute, flagParameter, reply, type Reply, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { humanSize } from "../documents/common.js";
import { BookNotFound, ImageNotFound, PageNotFound } from "../komga-errors.js";
import type { Books } from "../shelving/books.js";
import { bookParams, common, pageParams, root, seriesParams } from "./queries.js";

export interface PageSources {
  readonly books: Books;
  readonly pages: PagesContract;
  readonly rendered: RenderedPagesContract;
  readonly covers: CoversContract;
}

const pageSchema = z.object({
  /** From 1. */
  number: z.number().int(),
  fileName: z.string(),
  mediaType: z.string(),
  sizeBytes: z.number().int(),
  size: z.string(),
});

/** Pixels. */
const thumbnailWidth = 320;

/** The pages of books, and the covers of books and series. */
export function pageRoutes(sources: PageSources): Route[] {
  return [listRoute(sources), ...imageRoutes(sources), ...coverRoutes(sources)];
}

function listRoute({ books, pages }: PageSources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${root}/books/{bookId}/pages`,
    summary: "The pages of a book, in reading order",
    params: bookParams,
    response: z.array(pageSchema),
    async handle({ params, viewer }) {
      const { id } = await books.get(params.bookId, viewer);
      const list = await pages.findPages(id);
      if (!list) throw new BookNotFound(String(id));
      return list.pages.map(({ name, contentType, sizeBytes }, index) => ({
        number: index + 1,
        fileName: name,
        mediaType: contentType,
        sizeBytes,
        size: humanSize(sizeBytes),
      }));
    },
  });
}

function imageRoutes(sources: PageSources): Route[] {
  const image = (path: string, summary: string, width: number | undefined) =>
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/books/{bookId}/pages/{page}${path}`,
      summary,
      description: "Pages are counted from 1, or from 0 with `zero_based`.",
      params: pageParams,
      query: z.object({ convert: z.enum(["jpeg", "png"]).optional(), zero_based: flagParameter.default(false) }),
      responseType: "image/*",
      async handle({ params, query, viewer, header, signal }) {
        const { id } = await sources.books.get(params.bookId, viewer);
        const page = params.page - (query.zero_based ? 0 : 1);
        const accept = query.convert ? undefined : header("accept");
        const wanted = { issueId: id, page, shape: { width, accept, plain: true } };
        const described = page < 0 ? undefined : await sources.rendered.describe(wanted);
        if (!described || page >= described.pages) throw new PageNotFound(params.page);
        const { validator, version } = described;
        const read = () => sources.rendered.read(wanted, { signal, version });
        return reply.content(read, { validator, vary: ["Accept"] });
      },
    });
  return [
    image("", "One page of a book: JPEG, PNG or GIF, unless Accept names the type of the page", undefined),
    image("/thumbnail", "A small image of a page", thumbnailWidth),
  ];
}

function coverRoutes({ covers, books }: PageSources): Route[] {
  return [
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/books/{bookId}/thumbnail`,
      summary: "The cover of a book",
      params: bookParams,
      responseType: "image/*",
      async handle({ params, viewer }) {
        const { id } = await books.get(params.bookId, viewer);
        return answerCover(covers, { issueId: id }, viewer);
      },
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/series/{seriesId}/thumbnail`,
      summary: "The cover of a series",
      params: seriesParams,
      responseType: "image/*",
      handle: ({ params, viewer }) => answerCover(covers, { seriesId: params.seriesId }, viewer),
    }),
  ];
}

/** @throws {ImageNotFound} also for what is hidden */
export async function answerCover(covers: CoversContract, subject: CoverSubject, viewer: Viewer): Promise<Reply> {
  const shape = { width: 640, plain: true };
  const described = await covers.describe(subject, shape, viewer);
  if (!described) throw new ImageNotFound();
  return reply.content(() => covers.read(subject, shape, viewer), { validator: described.validator });
}
