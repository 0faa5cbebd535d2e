import { z } from "zod";

export const gamifySettings = z
  .object({
    enabled: z.boolean().default(true).meta({
      title: "Quests, streaks and achievements",
      description: "Off: nothing is shown to any user. What users have read and chosen is kept.",
    }),
    leaderboard: z.boolean().default(true).meta({
      title: "Leaderboard",
      description: "Users see how much the others read this month. Each user can leave it.",
    }),
  })
  .meta({ title: "Quests", task: "reading" });
