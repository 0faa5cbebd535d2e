import {
  defineRoute,
  idParameter,
  pageParameters,
  reply,
  type KernelLogs,
  type LogLine,
  type Releasable,
  type Route,
} from "@longbox/sdk";
import { z } from "zod";

const levels = z.enum(["debug", "info", "warn", "error"]);
export const logLineSchema = z
  .object({
    id: z.number().int().positive(),
    at: z.iso.datetime(),
    level: levels,
    category: z.string().meta({ description: "A part of the kernel, or a plugin's id" }),
    message: z.string(),
    requestId: z.string().optional(),
    fields: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "LogLine" });

/** Whatever its offset, as the log writes it. */
const momentSchema = z.iso.datetime({ offset: true }).transform((moment) => new Date(moment).toISOString());

const filterSchema = z.object({
  ...pageParameters({ default: 200, max: 1000 }),
  level: levels.optional().meta({ description: "This level and those above it" }),
  category: z.string().max(100).optional(),
  text: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Found in the message or the fields, without regard to case" }),
  after: idParameter.optional().meta({ description: "Only lines after this id" }),
  since: momentSchema.optional().meta({ description: "Only lines from this time on" }),
  until: momentSchema.optional().meta({ description: "Only lines before this time" }),
});

/** The server's log: the newest lines, as the kernel keeps them. */
export function logRoutes(logs: KernelLogs): Route[] {
  const access = "system.logs";
  return [
    defineRoute({
      method: "GET",
      path: "/api/logs",
      access,
      summary: "The server's log, newest first",
      query: filterSchema,
      response: z.array(logLineSchema),
      async handle({ query }) {
        const { lines, total, categories } = await logs.list(given(query));
        return reply.json(lines, { "X-Total-Count": String(total), "X-Log-Categories": categories.join(",") });
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/logs/clear",
      access,
      summary: "Drop the kept lines",
      response: z.object({ cleared: z.number().int().nonnegative() }),
      handle: async () => ({ cleared: await logs.clear() }),
    }),
  ];
}

/** Lines of requests say nothing new to those who watch the log, and reading the log makes one. */
export function announceLines(logs: KernelLogs, changed: () => void): Releasable {
  return logs.onLine((line: LogLine) => {
    if (line.category !== "http" || line.level !== "debug") changed();
  });
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out what was not asked for. */
function given<T extends object>(filter: T): Given<T> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Given<T>;
}
