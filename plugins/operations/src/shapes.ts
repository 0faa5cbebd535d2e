import { z } from "zod";

export const jobSchema = z
  .object({
    id: z.number().int().positive(),
    kind: z.string(),
    title: z.string(),
    state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
    done: z.number().nonnegative(),
    total: z.number().nonnegative().meta({ description: "0 while it is not known" }),
    message: z.string().optional(),
    estimateSeconds: z.number().nonnegative().optional(),
    error: z.string().optional(),
    errorCode: z.string().optional(),
    errorDetails: z.unknown().optional(),
    queuedAt: z.string(),
    startedAt: z.string().optional(),
    endedAt: z.string().optional(),
  })
  .meta({ id: "Job" });

export const scheduleSchema = z
  .object({
    key: z.string(),
    title: z.string(),
    description: z.string(),
    cron: z.string(),
    defaultCron: z.string(),
    enabled: z.boolean(),
    timeZone: z.string(),
    running: z.boolean(),
    lastRunAt: z.string().optional(),
    lastState: z.string().optional(),
    lastError: z.string().optional(),
    nextRunAt: z.string().optional(),
  })
  .meta({ id: "Schedule" });

export const toolSchema = z
  .object({ id: z.string(), title: z.string(), description: z.string(), dryRun: z.boolean(), running: z.boolean() })
  .meta({ id: "Tool" });

export const startedSchema = z.object({ jobId: z.number().int().positive() }).meta({ id: "StartedJob" });

export const findingSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    level: z.enum(["ok", "warning", "error"]),
    advice: z.string(),
    link: z.object({ label: z.string(), path: z.string().meta({ description: "In the web interface" }) }).optional(),
  })
  .meta({ id: "HealthFinding" });
