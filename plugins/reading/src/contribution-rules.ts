// What the extension point of reading takes.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { ChapterSource } from "./contract.js";

export const chapterRules: ContributionRules<ChapterSource> = {
  schema: z.object({ libraryType: z.string().min(1), findChapters: z.function() }),
};
