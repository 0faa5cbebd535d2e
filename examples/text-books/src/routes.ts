import { defineRoute, indexParameter, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { TextBooks } from "./text-books.js";

const access = "library.view";
const params = z.object({ cvIssueId: signedIdParameter });
const partNumber = z.number().int().min(0).max(100_000);

const placeSchema = z.object({
  part: partNumber.meta({ description: "The part to go on with, counted from 0" }),
  fraction: z.number().meta({ description: "How much of the book has been read, 0 to 1" }),
  completed: z.boolean(),
});
export const bookSchema = placeSchema.extend({
  cvIssueId: z.number().int(),
  title: z.string(),
  within: z.string().nullable().meta({ description: "What stands beneath the title, such as its series" }),
  parts: z.number().int(),
});
export const partSchema = z.object({
  text: z.string(),
  from: z.number().int().meta({ description: "The first byte of the part in the file" }),
  to: z.number().int().meta({ description: "The byte after its last one" }),
});

/** Opening a book, reading it part by part, and keeping the place. */
export function textBookRoutes(books: TextBooks): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/text-books/{cvIssueId}",
      access,
      summary: "Open a book: what it is called, and how far the viewer is",
      params,
      response: bookSchema,
      async handle({ params: { cvIssueId }, viewer }) {
        const { issue, ...book } = await books.open(cvIssueId, viewer);
        return { ...book, cvIssueId, title: issue.label.full, within: issue.label.within ?? null };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/text-books/{cvIssueId}/parts/{part}",
      access,
      summary: "One part of a book, from one line to another",
      params: params.extend({ part: indexParameter.pipe(partNumber) }),
      response: partSchema,
      handle: ({ params: { cvIssueId, part }, viewer }) => books.read(cvIssueId, part, viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/text-books/{cvIssueId}/place",
      access,
      summary: "Keep the viewer's place in a book",
      params,
      body: z.object({ part: partNumber, finished: z.boolean().default(false) }),
      response: placeSchema,
      handle: ({ params: { cvIssueId }, body, viewer }) => books.keepPlace(cvIssueId, body, viewer),
    }),
  ];
}
