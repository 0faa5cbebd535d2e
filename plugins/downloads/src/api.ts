import type { z } from "zod";
import type {
  blockedSchema,
  historyRowSchema,
  historySchema,
  itemSchema,
  packSchema,
  queueSchema,
  sourceSchema,
} from "./shapes.js";

export type Queue = z.output<typeof queueSchema>;
export type QueueItem = z.output<typeof itemSchema>;
export type QueuePack = z.output<typeof packSchema>;
export type { SearchResult as Result } from "./contract.js";
export type History = z.output<typeof historySchema>;
export type HistoryRow = z.output<typeof historyRowSchema>;
export type Blocked = z.output<typeof blockedSchema>;
export type Source = z.output<typeof sourceSchema>;
