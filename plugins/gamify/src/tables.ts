import type { ColumnValues } from "@longbox/sdk";
import type { Generated, Kysely } from "kysely";

/** Choices of users. Everything else is computed from the reading history. */
export interface GamifyTables {
  choice: {
    user_id: number;
    /** Not on the leaderboard. */
    opted_out: ColumnValues["flag"];
    /** Shows the summary on the home page. */
    on_home: ColumnValues["flag"];
  };
  goal: { user_id: number; year: number; target: number };
  /** From when on a user's days follow a time zone. */
  zone: { user_id: number; from_at: number; time_zone: string };
  quest: QuestTable;
  /** Freezes that were bought. */
  freeze: { id: Generated<number>; user_id: number; bought_at: number; cost: number };
}

/** A quest that was drawn for a user and a week. */
export interface QuestTable {
  id: Generated<number>;
  user_id: number;
  /** The Monday of its week, such as `2026-11-23`. */
  monday: string;
  drawn_at: number;
  kind: string;
  /** JSON, by the kind. */
  subject: string;
  target: number;
  reward: number;
  /** What of the week counted before it was drawn and does not count towards it. */
  base: number;
  /** `drawn`, `rerolled` or `withdrawn`. */
  state: string;
}

export type GamifyDatabase = Kysely<GamifyTables>;
