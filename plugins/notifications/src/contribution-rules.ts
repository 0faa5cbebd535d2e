// What the extension point of notifications takes.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { NotificationChannel } from "./contract.js";

const field = z.object({
  name: z.string().regex(/^[A-Za-z0-9]+$/, "must be letters and digits"),
  label: z.string().min(1),
  kind: z.enum(["text", "url", "email"]),
  required: z.boolean(),
  secret: z.boolean().optional(),
  hint: z.string().optional(),
});

export const channelRules: ContributionRules<NotificationChannel> = {
  schema: z.object({
    id: z.string().regex(/^[a-z0-9-]{1,64}$/, "must be lower-case letters, digits and hyphens"),
    label: z.string().min(1),
    fields: z
      .array(field)
      .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, "names a field twice"),
    verified: z.boolean().optional(),
    unavailable: z.function().optional(),
    check: z.function().optional(),
    send: z.function(),
  }),
  unique: "id",
};
