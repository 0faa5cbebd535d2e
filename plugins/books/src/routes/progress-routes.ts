import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { BookProgress, BookReading } from "../reading/book-reading.js";
import { access, bookParams, device, fraction, locator, plainText } from "./common.js";

const count = z.number().int().min(0).max(1_000_000);
const words = { chapter: plainText(500).optional(), page: count.optional(), pages: count.optional() };

export const progressSchema = z.object({
  locator: z.string(),
  fraction: z.number(),
  chapter: z.string().optional(),
  page: z.number().int().optional(),
  pages: z.number().int().optional(),
  completed: z.boolean(),
  device: z.string().optional(),
  at: z.string().nullable().meta({ description: "When it was last read; null when the book was never begun" }),
});

export const placeSchema = progressSchema.extend({
  further: z
    .object({ device: z.string(), locator: z.string(), fraction: z.number(), at: z.string() })
    .nullable()
    .meta({ description: "The furthest of the viewer's other devices, when it is further than this one" }),
});

const reportSchema = z.object({
  locator,
  fraction,
  ...words,
  device,
  at: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: "When it was read, for devices that report late. Default: now" }),
  completed: z
    .boolean()
    .optional()
    .meta({ description: "Default: whether the fraction is 1. A completion is kept after later reports" }),
  mayGoBack: z
    .boolean()
    .default(false)
    .meta({ description: "The user went back intentionally: taken even if another device was further" }),
  restart: z.boolean().default(false).meta({ description: "Begins the book again: the completion is removed" }),
});

/** How far the viewer is in a book. */
export function progressRoutes(reading: BookReading): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/ebooks/issue/{id}/progress",
      access,
      summary: "Read the viewer's position in a book",
      params: bookParams,
      query: z.object({ device }),
      response: placeSchema,
      handle: async ({ params, query, viewer }) => {
        const { progress, further } = await reading.find(viewer, params.id, query.device);
        return { ...progressDocument(progress), further: further ?? null };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/ebooks/issue/{id}/progress",
      access,
      summary: "Report the viewer's position in a book",
      description:
        "Of one device the latest report counts, among devices the furthest. The answer is the position that is kept.",
      params: bookParams,
      body: reportSchema,
      response: progressSchema,
      handle: async ({ params, body, viewer }) =>
        progressDocument(await reading.report(viewer, params.id, { ...body, at: body.at, completed: body.completed })),
    }),
  ];
}

/** Without the fields that nothing is known of. */
export function progressDocument(progress: BookProgress): z.input<typeof progressSchema> {
  const { locator, fraction, completed, at } = progress;
  const { chapter, page, pages, device } = progress;
  return { locator, fraction, completed, at, chapter, page, pages, device };
}
