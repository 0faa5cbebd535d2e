import { idParameter } from "@longbox/sdk";
import { z } from "zod";

export const access = "audiobooks.use";
export const issueParams = z.object({ id: idParameter });

const seconds = z.number().meta({ description: "Seconds, with fractions" });

export const progressSchema = z.object({
  position: seconds,
  duration: seconds,
  completed: z.boolean(),
  device: z.string().optional().meta({ description: "Which device reported the position; none after a mark" }),
  at: z.string(),
  further: z
    .object({ device: z.string(), position: seconds, at: z.string() })
    .optional()
    .meta({ description: "The furthest of your other devices, when it is further than the one in the query" }),
});
export type Progress = z.output<typeof progressSchema>;

export const bookmarkSchema = z.object({
  id: z.number().int(),
  position: seconds,
  note: z.string(),
  createdAt: z.string(),
});

export const partSchema = z.object({
  name: z.string(),
  contentType: z.string(),
  size: z.number().int().meta({ description: "Bytes" }),
  start: seconds.meta({ description: "Where it begins in the timeline of the whole book" }),
  end: seconds,
});

export const chaptersSchema = z.object({
  chapters: z.array(z.object({ title: z.string(), start: seconds, end: seconds })),
  duration: seconds,
  parts: z.array(partSchema).meta({ description: "The files of the book: each is streamed with the query part" }),
  joined: z.boolean().meta({ description: "Whether the book can be streamed as one, without the query part" }),
  converts: z.boolean().meta({ description: "Whether the server converts parts to MP3, with the query as=mp3" }),
});

export const infoSchema = z.object({
  id: z.number().int(),
  cvIssueId: z.number().int(),
  title: z.string(),
  authors: z.array(z.string()),
  narrators: z.array(z.string()),
  series: z.string().optional(),
  number: z.string().optional(),
  duration: seconds,
  size: z.number().int().meta({ description: "Bytes" }),
  format: z.string(),
  codec: z.string(),
  cover: z.string(),
  progress: progressSchema.nullable(),
});

export const statisticsSchema = z.object({
  finished: z.number().int(),
  reading: z.number().int().meta({ description: "Begun and not finished" }),
  seconds,
  streakDays: z.number().int(),
  perDay: z.array(z.object({ day: z.string(), seconds })),
});
