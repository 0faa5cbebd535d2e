import { z } from "zod";

const instant = z.string().meta({ description: "ISO 8601 in UTC" });
export const kindSchema = z.enum(["comic", "ebook", "audiobook"]);
const stateSchema = z.enum(["pending", "approved", "declined", "withdrawn", "fulfilled"]);

export const requestSchema = z.object({
  id: z.number().int(),
  kind: kindSchema,
  state: stateSchema,
  title: z.string(),
  year: z.number().int().optional(),
  publisher: z.string().optional(),
  authors: z.array(z.string()).optional(),
  cover: z.string().optional().meta({ description: "A path of this server" }),
  providerId: z.number().int().optional().meta({ description: "Of comics: the provider's volume" }),
  externalId: z.string().optional().meta({ description: "Of other kinds: what their source calls it" }),
  note: z.string(),
  votes: z.number().int(),
  voted: z.boolean(),
  mine: z.boolean(),
  requestedBy: z.string(),
  createdAt: instant,
  decidedBy: z.string().optional(),
  decidedAt: instant.optional(),
  reason: z.string().optional(),
  seriesId: z.number().int().optional(),
});

export const requestsSchema = z.object({
  requests: z.array(requestSchema),
  pending: z.number().int(),
  may: z.object({ create: z.boolean(), manage: z.boolean(), autoApprove: z.boolean() }),
});

export const foundSchema = z.object({
  kind: kindSchema,
  providerId: z.number().int().optional(),
  externalId: z.string().optional(),
  title: z.string(),
  authors: z.array(z.string()).optional(),
  publisher: z.string().optional(),
  year: z.number().int().optional(),
  image: z.string().optional(),
  inLibrary: z.boolean(),
  seriesId: z.number().int().optional(),
  requestId: z.number().int().optional().meta({ description: "The open request for it" }),
  mine: z.boolean().optional().meta({ description: "Whether the open request is the viewer's own" }),
  voted: z.boolean().optional().meta({ description: "Whether the viewer has voted for the open request" }),
});

const note = z.string().trim().max(1000).default("");
export const askSchema = z.union([
  z.object({ providerId: z.number().int().positive(), note }),
  z.object({ kind: kindSchema.exclude(["comic"]), externalId: z.string().min(1).max(200), note }),
]);

export const outcomeSchema = z.object({
  id: z.number().int(),
  state: stateSchema,
  voted: z.boolean().optional(),
  queued: z.number().int().optional(),
});
export const approvedSchema = z.object({
  id: z.number().int(),
  state: stateSchema,
  seriesId: z.number().int().optional(),
  queued: z.number().int(),
});
export const declinedSchema = z.object({ id: z.number().int(), state: stateSchema });
