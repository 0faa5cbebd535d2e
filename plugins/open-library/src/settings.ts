import { z } from "zod";

/** The address of a server. */
export const address = z
  .string()
  .max(500)
  .refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), "must be an http or https address");

export const openLibrarySettings = z
  .object({
    baseUrl: address.default("https://openlibrary.org").meta({ advanced: true, title: "Address of Open Library" }),
    coversUrl: address
      .default("https://covers.openlibrary.org")
      .meta({ advanced: true, title: "Address of its covers" }),
    contact: z.string().trim().max(200).default("").meta({
      title: "Contact",
      description:
        "An e-mail address or a web page, sent with every request. Open Library answers servers that name a contact faster, and may refuse others",
    }),
    automatic: z.boolean().default(true).meta({
      title: "Match automatically",
      description: "Look up books that arrive, and match those that are certain",
    }),
    spacingMs: z.number().int().min(0).max(60_000).default(1_000).meta({
      advanced: true,
      title: "Milliseconds between requests",
      description: "A third of it where a contact is named, as Open Library allows",
    }),
    keepDays: z.number().int().min(1).max(365).default(30).meta({ advanced: true, title: "Days to cache answers" }),
  })
  .meta({ title: "Open Library", task: "details" });
export type OpenLibrarySettings = z.output<typeof openLibrarySettings>;
