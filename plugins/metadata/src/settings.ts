import { secretSetting } from "@longbox/sdk";
import { z } from "zod";

const address = z
  .string()
  .max(500)
  .refine(
    (text) => text === "" || (/^https?:\/\//.test(text) && URL.canParse(text)),
    "must be an http or https address",
  );

export const metadataSettings = z
  .object({
    source: z
      .string()
      .max(64)
      .default("comicvine")
      .meta({ advanced: true, title: "Source", description: "comicvine, hosted, or a source of another plugin" }),
    baseUrl: address
      .default("https://comicvine.gamespot.com/api")
      .meta({ advanced: true, title: "Address of the provider" }),
    apiKey: secretSetting({ title: "API key", description: "Your key at the provider" }),
    instanceKey: secretSetting({
      advanced: true,
      title: "Instance key",
      description: "The key of this server at a hosted source; left empty, the server registers itself",
    }),
    userAgent: z
      .string()
      .min(1)
      .max(200)
      .default("Longbox/1.0 (self-hosted library)")
      .meta({ advanced: true, title: "User agent", description: "Sent with every request to the provider" }),
    requestsPerHour: z.number().int().min(1).max(100_000).default(200).meta({
      advanced: true,
      title: "Requests per hour",
      description: "The provider's limit for each kind of request",
    }),
    spacingMs: z
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(1_000)
      .meta({ advanced: true, title: "Milliseconds between requests" }),
    keepHours: z.number().int().min(0).max(8_760).default(24).meta({ advanced: true, title: "Hours to cache answers" }),
    refreshDays: z
      .number()
      .int()
      .min(1)
      .max(365)
      .default(7)
      .meta({ advanced: true, title: "Days after which a series is refreshed" }),
    matchAlone: z
      .boolean()
      .default(true)
      .meta({ title: "Match automatically", description: "Match series without a question when the match is certain" }),
  })
  .meta({ title: "Metadata provider", task: "details", test: "/api/cv/test" });
export type MetadataSettings = z.output<typeof metadataSettings>;
