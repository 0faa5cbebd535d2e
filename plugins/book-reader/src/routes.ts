import type { CollectionContract } from "@longbox/collection/contract";
import { defineRoute, LongboxError, NotFound, reply, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Frame } from "./frame.js";
import { layoutChangeSchema, layoutSchema } from "./layout.js";
import type { Preferences } from "./preferences.js";

/**
 * Books themselves come from the routes of `books`, which declares this permission; without `books` it does not exist.
 */
const permission = "ebooks.use";
const access = "library.view";

export const openBookSchema = z.object({
  id: z.number().int().meta({ description: "The internal id, by which the routes of `reading` know the book" }),
  cvIssueId: z.number().int(),
  title: z.string(),
  within: z.string().nullable().meta({ description: "What the book belongs to, such as its series" }),
  layout: layoutSchema,
  dictionary: z.string().nullable().meta({ description: "Address for looking up a word, with `{word}` in its place" }),
});

interface Sources {
  readonly library: CollectionContract;
  readonly preferences: Preferences;
  readonly frame: Frame;
  /** The admin's address template, empty when none is set. */
  dictionary(): string;
  tell(userId: number): void;
}

/** What the reader's page needs besides the routes of `books`: the frame, the book's names, and preferences. */
export function bookReaderRoutes(sources: Sources): Route[] {
  return [frameRoute(sources), openRoute(sources), ...preferenceRoutes(sources)];
}

function frameRoute({ frame }: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/book-reader/frame",
    access,
    summary: "The document in which books are rendered, apart from the origin of this server",
    responseType: "text/html",
    handle: () =>
      reply.content(
        { kind: "bytes", bytes: Buffer.from(frame.document), contentType: "text/html; charset=utf-8" },
        { headers: { "Content-Security-Policy": frame.policy, "X-DNS-Prefetch-Control": "off" } },
      ),
  });
}

function openRoute({ library, preferences, dictionary }: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/book-reader/issue/{cvIssueId}",
    access,
    summary: "Open a book: its names, and how the viewer wants books to be shown",
    params: z.object({ cvIssueId: signedIdParameter }),
    response: openBookSchema,
    async handle({ params: { cvIssueId }, viewer }) {
      if (!viewer.may(permission))
        throw new LongboxError("forbidden", "book-reader/may-not-read", "You may not read books here.", { permission });
      const issue = await library.findIssue(cvIssueId, viewer);
      if (!issue?.owned || issue.type !== "ebook")
        throw new NotFound("book-reader/no-such-book", `There is no book ${cvIssueId} to be read.`, { cvIssueId });
      const layout = await preferences.find(viewer.user.id);
      const { full: title, within = null } = issue.label;
      return { id: issue.id, cvIssueId, title, within, layout, dictionary: dictionary() || null };
    },
  });
}

function preferenceRoutes({ preferences, tell }: Sources): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/book-reader/preferences",
      access,
      summary: "How the viewer wants books to be shown",
      response: layoutSchema,
      handle: ({ viewer }) => preferences.find(viewer.user.id),
    }),
    defineRoute({
      method: "PUT",
      path: "/api/book-reader/preferences",
      access,
      summary: "Change how the viewer wants books to be shown; fields that are left out stay",
      body: layoutChangeSchema,
      response: layoutSchema,
      async handle({ body, viewer }) {
        const layout = await preferences.change(viewer.user.id, body);
        tell(viewer.user.id);
        return layout;
      },
    }),
  ];
}
