import { z } from "zod";
import { preferencesSchema } from "./preferences.js";

const instant = z.string().meta({ description: "ISO 8601 in UTC" });

export const noticeSchema = z.object({
  id: z.number().int(),
  at: instant,
  category: z.enum(["import", "failure", "release", "request", "system"]),
  level: z.enum(["info", "success", "warning", "error"]),
  title: z.string(),
  body: z.string(),
  url: z.string().nullable().meta({ description: "A path of this server" }),
  read: z.boolean(),
});

export const fieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(["text", "url", "email"]),
  required: z.boolean(),
  secret: z.boolean(),
  hint: z.string().optional(),
});

export const channelSchema = z.object({
  id: z.string(),
  label: z.string(),
  fields: z.array(fieldSchema),
  unavailable: z.string().optional().meta({ description: "Why it cannot be used now" }),
});

export const addressSchema = z.object({
  id: z.number().int(),
  channel: z.string(),
  name: z.string(),
  fields: z.record(z.string(), z.string()).meta({ description: "Secrets as ********" }),
  enabled: z.boolean(),
  verified: z
    .boolean()
    .meta({ description: "False until the code that was sent there is entered; nothing else is sent before" }),
  trouble: z.string().optional().meta({ description: "Why it was disabled automatically" }),
  answers: z.array(z.object({ at: instant, ok: z.boolean(), text: z.string() })).meta({ description: "Newest first" }),
  createdAt: instant,
});

export const choicesSchema = z.object({
  preferences: preferencesSchema,
  channels: z.array(channelSchema),
  addresses: z.array(addressSchema),
  pushKey: z.string().meta({ description: "The applicationServerKey of this server for the Push API" }),
});

const name = z.string().trim().min(1).max(100);
const fields = z.record(z.string().max(40), z.string().max(2_000));

export const newAddressSchema = z.object({ channel: z.string().max(100), name, fields });
export const addressChangeSchema = z.object({
  name: name.optional(),
  fields: fields.optional(),
  enabled: z.boolean().optional(),
});
