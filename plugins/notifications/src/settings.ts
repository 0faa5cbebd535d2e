import { secretSetting } from "@longbox/sdk";
import { z } from "zod";

const longest = 500;

export const notificationSettings = z
  .object({
    joinSeconds: z.number().int().min(1).max(3600).default(60).meta({
      advanced: true,
      title: "Delay before announcing additions (seconds)",
      description: "Additions to the library within this time of each other are combined into one notification",
    }),
    keepDays: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .default(90)
      .meta({ advanced: true, title: "Days to keep notifications" }),
    retrySeconds: z.number().int().min(1).max(3600).default(30).meta({
      advanced: true,
      title: "Delay before a message is repeated (seconds)",
      description: "The delay grows with every attempt, to 720 times this value before the sixth and last one",
    }),
    mailHost: z.string().max(longest).default("").meta({
      title: "Mail server",
      description: "The host name of the SMTP server that sends e-mail; empty for no e-mail",
    }),
    mailPort: z.number().int().min(1).max(65_535).default(587).meta({ title: "Port of the mail server" }),
    mailEncryption: z.enum(["starttls", "tls", "none"]).default("starttls").meta({
      title: "Encryption to the mail server",
    }),
    mailUser: z.string().max(longest).default("").meta({ title: "User name at the mail server" }),
    mailPassword: secretSetting({ title: "Password at the mail server" }),
    mailFrom: z.string().max(longest).default("").meta({
      title: "Sender of e-mail",
      description: "An address such as Longbox <longbox@example.org>",
    }),
  })
  .meta({ task: "messages" });
export type NotificationSettings = z.output<typeof notificationSettings>;
