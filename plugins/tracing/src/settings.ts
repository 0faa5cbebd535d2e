import { secretSetting } from "@longbox/sdk";
import { z } from "zod";

/** A header for each line: what OpenTelemetry's `OTEL_EXPORTER_OTLP_HEADERS` has with commas. */
const headerLines = /^(?:[ \t]*(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*:[^\r\n]*)?(?:\r?\n|$))*$/;

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
    headers: secretSetting({
      title: "Headers",
      description: "One for each line, such as Authorization: Bearer …; for collectors that ask for a key",
    }).refine((text) => headerLines.test(text), "must have a name, a colon and a value in each line"),
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

/** The headers by name. */
export function headersOf({ headers }: TracingSettings): Record<string, string> {
  const lines = headers.split(/\r?\n/).filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]),
  );
}
