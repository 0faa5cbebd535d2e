import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Searching } from "../searching/searching.js";

const hitSchema = z.object({
  group: z.object({ id: z.string(), label: z.string() }),
  title: z.string(),
  detail: z.string().optional(),
  href: z.string(),
  cover: z.string().optional(),
  score: z.number(),
});
const query = z.object({
  q: z.string().max(200),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(1).max(60))
    .default(6),
});
const response = z.object({ items: z.array(hitSchema), partial: z.boolean() });
export type SearchAnswer = z.output<typeof response>;

export function searchRoutes(searching: Searching): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/search",
      summary: "Find series, issues, people, lists and whatever plugins know, by words",
      description:
        "The best first, `limit` of each group. Every word must fit, the last one as the beginning of a word; typing errors are forgiven where little else is found. `#12` finds issues by number. `partial` says that a plugin did not answer.",
      query,
      response,
      async handle({ query: { q, limit }, viewer }) {
        const { items, partial } = await searching.find(q, limit, viewer);
        return { items: [...items], partial };
      },
    }),
  ];
}
