import type { CoversContract } from "@longbox/collection/contract";
import { defineRoute, flagParameter, indexParameter, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import { NoCover } from "../books-errors.js";
import type { FindingBooks } from "../finding/finding-books.js";
import type { SendingBooks } from "../finding/sending-books.js";
import { access, bookParams } from "./common.js";

interface Sources {
  readonly books: FindingBooks;
  readonly sending: SendingBooks;
  readonly covers: CoversContract;
}

/** Pixels. */
const width = indexParameter.pipe(z.number().int().min(1).max(20_000));
const format = z
  .string()
  .regex(/^[a-z0-9]{1,20}$/u, "must be the id of a format, such as epub")
  .optional();

/** The book itself and its cover, for browsers and for programs that only know HTTP Basic. */
export function fileRoutes(sources: Sources): Route[] {
  return [fileRoute(sources), coverRoute(sources)];
}

function fileRoute({ sending }: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/ebooks/issue/{id}/file",
    access,
    acceptsBasic: true,
    summary: "The file of a book",
    description:
      "The best format to read, or the one that `format` names. With dl=1 it is offered as a download. A book that is held " +
      "elsewhere is fetched first; 404 with `unavailable: true` when its source has lost it, 502 when trying again may help.",
    params: bookParams,
    query: z.object({ dl: flagParameter.default(false), format }),
    responseType: "application/octet-stream",
    handle: async ({ params, query, viewer }) => {
      const { content, name, contentType, ...validators } = await sending.open(params.id, query.format, viewer);
      return reply.content(content, {
        ...validators,
        ...(query.dl ? { downloadName: name } : { inlineName: name }),
        headers: protectiveHeaders(contentType),
      });
    },
  });
}

/** A FictionBook is XML that a browser would show, scripts included; viewers of PDFs do not work in a sandbox. */
function protectiveHeaders(contentType: string): Record<string, string> {
  return contentType === "application/pdf"
    ? {}
    : { "Content-Security-Policy": "sandbox; default-src 'none'", "X-Content-Type-Options": "nosniff" };
}

function coverRoute({ books, covers }: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/ebooks/issue/{id}/cover",
    access,
    acceptsBasic: true,
    summary: "The cover of a book, at least w pixels wide",
    params: bookParams,
    query: z.object({ w: width.optional() }),
    responseType: "image/*",
    handle: async ({ params, query, viewer, header }) => {
      const { id: issueId } = await books.getIssue(params.id, viewer);
      const shape = { width: query.w, accept: header("accept") };
      const described = await covers.describe({ issueId }, shape, viewer);
      if (!described) throw new NoCover(params.id);
      return reply.content(() => covers.read({ issueId }, shape, viewer), {
        validator: described.validator,
        vary: ["Accept"],
      });
    },
  });
}
