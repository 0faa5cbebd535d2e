import { excluded, isAmong } from "@longbox/sdk";
import type { ShelvesDatabase } from "../tables.js";

/** How users rated issues: 1 to 5 stars. A user's ratings are that user's alone. */
export class RatingRecords {
  constructor(private readonly database: ShelvesDatabase) {}

  /** @param stars - 0 removes the rating */
  async set(userId: number, issueId: number, stars: number): Promise<void> {
    if (stars === 0) {
      await this.database.deleteFrom("rating").where("user_id", "=", userId).where("issue_id", "=", issueId).execute();
      return;
    }
    await this.database
      .insertInto("rating")
      .values({ user_id: userId, issue_id: issueId, stars, rated_at: Date.now() })
      .onConflict((conflict) => conflict.columns(["user_id", "issue_id"]).doUpdateSet(excluded(["stars", "rated_at"])))
      .execute();
  }

  async find(userId: number, issueIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.database
      .selectFrom("rating")
      .select(["issue_id", "stars"])
      .where("user_id", "=", userId)
      .where(isAmong("issue_id", issueIds))
      .execute();
    return new Map(rows.map(({ issue_id, stars }) => [issue_id, stars]));
  }

  async listOf(userId: number): Promise<Map<number, number>> {
    const rows = await this.database
      .selectFrom("rating")
      .select(["issue_id", "stars"])
      .where("user_id", "=", userId)
      .execute();
    return new Map(rows.map(({ issue_id, stars }) => [issue_id, stars]));
  }

  /** An issue became another: its ratings go along, unless the other was rated, too. @returns whose */
  async move(from: number, to: number): Promise<number[]> {
    const rows = await this.database.selectFrom("rating").selectAll().where("issue_id", "=", from).execute();
    for (const row of rows)
      await this.database
        .insertInto("rating")
        .values({ ...row, issue_id: to })
        .onConflict((conflict) => conflict.columns(["user_id", "issue_id"]).doNothing())
        .execute();
    await this.database.deleteFrom("rating").where("issue_id", "=", from).execute();
    return rows.map(({ user_id }) => user_id);
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.deleteFrom("rating").where("user_id", "=", userId).execute();
  }

  async handOver(from: number, to: number): Promise<void> {
    for (const [issueId, stars] of await this.listOf(from)) await this.set(to, issueId, stars);
    await this.forgetUser(from);
  }
}
