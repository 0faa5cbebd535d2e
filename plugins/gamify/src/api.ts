// The types of this plugin's answers, for clients; imported with `import type`.
import type { z } from "zod";
import type { achievementSchema, profileSchema, questSchema } from "./shapes.js";

export type { Leaderboard, Profile } from "./shapes.js";
export type Answer = z.output<typeof profileSchema>;
export type Quest = z.output<typeof questSchema>;
export type Achievement = z.output<typeof achievementSchema>;
