import type { ZoneChange } from "../days/user-days.js";
import type { GoalChoice } from "../rules/goal.js";
import type { GamifyDatabase } from "../tables.js";

export interface Choices {
  readonly optedOut: boolean;
  readonly onHome: boolean;
}

/** What users chose: the goal, the leaderboard, the summary on the home page and the time zone. */
export class ChoiceRecords {
  constructor(private readonly database: GamifyDatabase) {}

  async choicesOf(userId: number): Promise<Choices> {
    const row = await this.database.selectFrom("choice").selectAll().where("user_id", "=", userId).executeTakeFirst();
    return { optedOut: row?.opted_out === 1, onHome: row?.on_home === 1 };
  }

  async choose(userId: number, change: Partial<Choices>): Promise<void> {
    const next = { ...(await this.choicesOf(userId)), ...change };
    const row = { opted_out: next.optedOut ? 1 : 0, on_home: next.onHome ? 1 : 0 } as const;
    await this.database
      .insertInto("choice")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
  }

  async listOptedOut(): Promise<ReadonlySet<number>> {
    const rows = await this.database.selectFrom("choice").select("user_id").where("opted_out", "=", 1).execute();
    return new Set(rows.map(({ user_id }) => user_id));
  }

  async goalsOf(userId: number): Promise<GoalChoice[]> {
    return await this.database
      .selectFrom("goal")
      .select(["year", "target"])
      .where("user_id", "=", userId)
      .orderBy("year")
      .execute();
  }

  async chooseGoal(userId: number, { year, target }: GoalChoice): Promise<void> {
    await this.database
      .insertInto("goal")
      .values({ user_id: userId, year, target })
      .onConflict((conflict) => conflict.columns(["user_id", "year"]).doUpdateSet({ target }))
      .execute();
  }

  /** In order. */
  async zonesOf(userId: number): Promise<ZoneChange[]> {
    const rows = await this.database
      .selectFrom("zone")
      .select(["from_at", "time_zone"])
      .where("user_id", "=", userId)
      .orderBy("from_at")
      .execute();
    return rows.map(({ from_at, time_zone }) => ({ from: from_at, timeZone: time_zone }));
  }

  /** The first time zone applies to everything that was read before. @param from - Milliseconds since 1970 */
  async chooseZone(userId: number, { from, timeZone }: ZoneChange): Promise<void> {
    await this.database
      .insertInto("zone")
      .values({ user_id: userId, from_at: from, time_zone: timeZone })
      .onConflict((conflict) => conflict.columns(["user_id", "from_at"]).doUpdateSet({ time_zone: timeZone }))
      .execute();
  }
}
