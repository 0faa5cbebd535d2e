import { z } from "zod";
import { questWordsSchema } from "./quests/quest-words.js";

const count = z.number().int();
const day = z.string();

export const questSchema = z.object({
  id: count,
  title: z.string(),
  description: z.string(),
  words: questWordsSchema,
  progress: count,
  target: count,
  /** Tokens. */
  reward: count,
  done: z.boolean(),
  /** ISO 8601: the end of the user's week. */
  endsAt: z.string(),
  /** What it is about: a page of the web interface, and its cover. */
  href: z.string().optional(),
  cover: z.string().optional(),
});

export const goalSchema = z.object({
  year: count,
  /** 0: no goal. */
  target: count,
  /** Items finished this year. */
  done: count,
});

export const achievementSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  earnedAt: z.string().optional(),
  progress: count.optional(),
  target: count.optional(),
});

export const readySchema = z.object({
  ready: z.literal(true),
  level: count,
  points: count,
  /** The points at which this level began. */
  levelAt: count,
  nextLevelAt: count,
  streak: z.object({
    days: count,
    longest: count,
    freezes: count,
    /** The last fourteen days, today included. */
    recent: z.array(z.object({ day, state: z.enum(["read", "frozen", "missed", "open"]) })),
  }),
  quests: z.array(questSchema),
  achievements: z.array(achievementSchema),
  goal: goalSchema,
  tokens: count,
  /** What a freeze costs, in tokens. */
  freezeCost: count,
  rerollsLeft: count,
  optOut: z.boolean(),
  onHome: z.boolean(),
  /** Whether the server has a leaderboard. */
  leaderboard: z.boolean(),
  /** The time zone of the user's days; null until one is chosen, and days are those of UTC. */
  timeZone: z.string().nullable(),
});

/** What is off: the quests themselves, the reading state, or the reader. */
export const causeSchema = z.enum(["quests", "reading", "reader"]);

export const profileSchema = z.discriminatedUnion("ready", [
  readySchema,
  z.object({ ready: z.literal(false), reason: z.string(), cause: causeSchema }),
]);

export const leaderboardSchema = z.object({
  /** `2026-11`. */
  month: z.string(),
  rows: z.array(z.object({ username: z.string(), points: count, pages: count, finished: count, me: z.boolean() })),
});

export const preferencesSchema = z.object({ timeZone: z.string().nullable(), onHome: z.boolean() });
export type Profile = z.output<typeof readySchema>;
export type Leaderboard = z.output<typeof leaderboardSchema>;
