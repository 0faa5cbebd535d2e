import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Schedules } from "./schedules.js";
import { scheduleSchema, startedSchema } from "../shapes.js";

const params = z.object({ key: z.string().min(1).max(100) });
const changeSchema = z.object({
  cron: z.string().max(100).optional().meta({ description: "Five fields, in the server's time zone" }),
  enabled: z.boolean().optional(),
});

/** The scheduled tasks, and when they run. */
export function scheduleRoutes(schedules: Schedules): Route[] {
  const access = "system.jobs";
  return [
    defineRoute({
      method: "GET",
      path: "/api/schedules",
      access,
      summary: "Scheduled tasks",
      response: z.array(scheduleSchema),
      handle: () => schedules.list(),
    }),
    defineRoute({
      method: "POST",
      path: "/api/schedules/{key}",
      access,
      summary: "Change when a task runs, or switch it on or off",
      params,
      body: changeSchema,
      response: scheduleSchema,
      handle: ({ params: { key }, body }) => schedules.change(key, body),
    }),
    defineRoute({
      method: "POST",
      path: "/api/schedules/{key}/run",
      access,
      summary: "Run a task now",
      params,
      response: startedSchema,
      handle: ({ params: { key } }) => schedules.runNow(key),
    }),
  ];
}
