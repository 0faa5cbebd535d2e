import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Bookmarks } from "../reading/bookmarks.js";
import { access, bookParams, fraction, locator, plainText } from "./common.js";

export const bookmarkSchema = z.object({
  id: z.number().int(),
  locator: z.string(),
  fraction: z.number(),
  note: z.string().nullable(),
  color: z.string().nullable(),
  text: z.string().nullable(),
  createdAt: z.string(),
});

const words = plainText(10_000).nullable().default(null);
const bodySchema = z.object({
  id: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: "A bookmark of this book to be changed; without it one is added" }),
  locator,
  fraction,
  note: words.meta({ description: "What the user wrote to it" }),
  color: z
    .string()
    .regex(/^[a-z0-9#-]{1,32}$/iu, "must be a name or a code of a colour")
    .nullable()
    .default(null),
  text: words.meta({ description: "The highlighted text" }),
});

/** Bookmarks, highlights and notes. */
export function bookmarkRoutes(bookmarks: Bookmarks): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/ebooks/issue/{id}/bookmarks",
      access,
      summary: "List the viewer's bookmarks, highlights and notes in a book, by their place",
      params: bookParams,
      response: z.array(bookmarkSchema),
      handle: ({ params, viewer }) => bookmarks.list(viewer, params.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/ebooks/issue/{id}/bookmarks",
      access,
      summary: "Add a bookmark, a highlight or a note, or change one",
      params: bookParams,
      body: bodySchema,
      response: z.object({ id: z.number().int() }),
      handle: async ({ params, body: { id, ...values }, viewer }) => ({
        id: await bookmarks.put(viewer, params.id, { id, values }),
      }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/ebooks/bookmarks/{bookmarkId}",
      access,
      summary: "Remove a bookmark, a highlight or a note of the viewer",
      description: "`removed` is false when there is none, such as after a request that was repeated.",
      params: z.object({ bookmarkId: idParameter }),
      response: z.object({ removed: z.boolean() }),
      handle: async ({ params, viewer }) => ({ removed: await bookmarks.remove(viewer, params.bookmarkId) }),
    }),
  ];
}
