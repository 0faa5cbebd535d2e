import type { CoversContract } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import { defineRoute, indexParameter, reply, type Reply, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { BookIds } from "../documents/book-ids.js";
import { BookNotFound, ImageNotFound } from "../kobo-errors.js";
import type { Books } from "../syncing/books.js";
import { access, bookParams, store } from "./common.js";

export interface BookRouteParts {
  readonly ids: BookIds;
  readonly books: Books;
  readonly files: FilesContent;
  readonly covers: CoversContract;
}

/** Pixels. */
const widest = 2000;
const imageParams = bookParams.extend({
  width: indexParameter,
  height: indexParameter,
  isGreyscale: z.string().max(10),
});

/** The files of books and their covers. */
export function bookRoutes(parts: BookRouteParts): Route[] {
  return [fileRoute(parts), ...coverRoutes(parts)];
}

function fileRoute({ ids, books, files }: BookRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: `${store}/books/{bookId}/file`,
    access,
    summary: "The file of a book, as it is in the library",
    params: bookParams,
    responseType: "application/epub+zip",
    async handle({ params, viewer }) {
      const { file } = await books.get(ids.issueOf(params.bookId), viewer);
      const sendable = await files.send(file);
      if (!sendable) throw new BookNotFound();
      const { content, validator, lastModified } = sendable;
      return reply.content(content, { validator, lastModified, downloadName: file.name });
    },
  });
}

function coverRoutes(parts: BookRouteParts): Route[] {
  const path = `${store}/books/{bookId}/thumbnail/{width}/{height}` as const;
  const cover = { method: "GET", access, responseType: "image/*" } as const;
  return [
    defineRoute({
      ...cover,
      path: `${path}/{isGreyscale}/image.jpg`,
      summary: "The cover of a book",
      params: imageParams,
      handle: ({ params, viewer }) => answerCover(parts, params, viewer),
    }),
    defineRoute({
      ...cover,
      path: `${path}/{quality}/{isGreyscale}/image.jpg`,
      summary: "The cover of a book; its quality is that of this server",
      params: imageParams.extend({ quality: z.string().max(10) }),
      handle: ({ params, viewer }) => answerCover(parts, params, viewer),
    }),
  ];
}

async function answerCover(
  { ids, covers }: BookRouteParts,
  { bookId, width }: z.output<typeof imageParams>,
  viewer: Viewer,
): Promise<Reply> {
  const issueId = ids.issueOf(bookId);
  const shape = { width: Math.min(Math.max(width, 1), widest), plain: true };
  const described = issueId === undefined ? undefined : await covers.describe({ issueId }, shape, viewer);
  if (issueId === undefined || !described) throw new ImageNotFound();
  return reply.content(() => covers.read({ issueId }, shape, viewer), { validator: described.validator });
}
