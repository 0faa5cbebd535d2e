import { listSetting, secretSetting } from "@longbox/sdk";
import { z } from "zod";

/** A mail box: what a mail server posts attachments for. */
const boxEntry = z.object({
  name: z.string().min(1).max(100).default("Mail box").meta({ title: "Name" }),
  user: z.string().max(100).default("").meta({
    title: "User",
    description: "On whose behalf files are imported; has to be allowed to manage the library",
  }),
  secret: secretSetting({
    title: "Secret",
    description: "16 characters or more; the mail server sends it as X-Box-Secret",
  }),
});

export const mailSettings = z.object({
  boxes: listSetting(boxEntry, { title: "Mail boxes", most: 20, test: "/api/wanted-by-mail/test" }),
});
export type MailSettings = z.output<typeof mailSettings>;
export type Box = MailSettings["boxes"][number];

/** A box as a form has it; one that is not saved yet has no id. */
export const boxSchema = mailSettings.shape.boxes.unwrap().element;
