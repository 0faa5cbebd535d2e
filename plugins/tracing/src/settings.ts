import { listSetting, secretSetting } from "@longbox/sdk";
import { z } from "zod";

const header = z.object({
  name: z
    .string()
    .max(100)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be the name of a header")
    .meta({ title: "Name" }),
  value: secretSetting({ title: "Value" }),
});

export const tracingSettings = z
  .object({
    address: z
      .union([z.literal(""), z.url({ protocol: /^https?$/ }).max(2000)])
      .default("")
      .meta({
        title: "Address of the collector",
        description:
          "Where OTLP over HTTP is taken, such as http://localhost:4318/v1/traces. Without it, nothing is traced",
      }),
    headers: listSetting(header, {
      title: "Headers",
      description: "For collectors that ask for a key, such as Authorization",
      most: 20,
    }),
    share: z
      .number()
      .min(0)
      .max(100)
      .default(100)
      .meta({ title: "Share of requests", description: "In percent. All that a request causes is traced, or nothing" }),
    service: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .default("longbox")
      .meta({ title: "Name of the service", description: "By which the collector lists this server", advanced: true }),
  })
  .meta({ title: "Traces", task: "server", test: "/api/tracing/test" });
export type TracingSettings = z.output<typeof tracingSettings>;
