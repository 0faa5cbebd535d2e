import { secretSetting } from "@longbox/sdk";
import { z } from "zod";

export const operationsSettings = z
  .object({
    supportUrl: z
      .union([z.literal(""), z.url({ protocol: /^https?$/ })])
      .default("")
      .meta({
        title: "Support service",
        description: "Where support packages are sent. Empty: they can only be downloaded.",
      }),
    supportKey: secretSetting({ title: "Support service key" }),
    supportLimitMegabytes: z.number().int().min(1).max(500).default(25).meta({
      advanced: true,
      title: "Largest support package",
      description: "In megabytes; a larger one is not sent.",
    }),
  })
  .meta({ title: "Support", task: "server" });

export type OperationsSettings = z.output<typeof operationsSettings>;
