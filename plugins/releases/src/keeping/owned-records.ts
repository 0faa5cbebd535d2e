import { foldText, isAmong } from "@longbox/sdk";
import type { ReleaseDatabase } from "../tables.js";

/** What belongs to users: the publishers that they follow, and what they were told. */
export class OwnedRecords {
  constructor(private readonly database: ReleaseDatabase) {}

  /** The publishers that a user follows, by the folded name. */
  async followedPublishers(userId: number): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database
      .selectFrom("followed_publisher")
      .select(["publisher_key", "publisher"])
      .where("user_id", "=", userId)
      .orderBy("publisher_key")
      .execute();
    return new Map(rows.map(({ publisher_key, publisher }) => [publisher_key, publisher]));
  }

  async followPublisher(userId: number, publisher: string, follow: boolean): Promise<void> {
    const publisher_key = foldText(publisher);
    if (follow)
      await this.database
        .insertInto("followed_publisher")
        .values({ user_id: userId, publisher_key, publisher })
        .onConflict((conflict) => conflict.columns(["user_id", "publisher_key"]).doNothing())
        .execute();
    else
      await this.database
        .deleteFrom("followed_publisher")
        .where("user_id", "=", userId)
        .where("publisher_key", "=", publisher_key)
        .execute();
  }

  /** The users who follow any publisher. */
  async publisherFollowers(): Promise<number[]> {
    const rows = await this.database.selectFrom("followed_publisher").select("user_id").distinct().execute();
    return rows.map(({ user_id }) => user_id);
  }

  /** Those of these releases that a user was not told of. */
  async untold(userId: number, releaseIds: readonly number[]): Promise<number[]> {
    const rows = await this.database
      .selectFrom("told")
      .select("release_id")
      .where("user_id", "=", userId)
      .where(isAmong("release_id", releaseIds))
      .execute();
    const told = new Set(rows.map(({ release_id }) => release_id));
    return releaseIds.filter((id) => !told.has(id));
  }

  async markTold(userId: number, releaseIds: readonly number[]): Promise<void> {
    if (releaseIds.length === 0) return;
    await this.database
      .insertInto("told")
      .values(releaseIds.map((release_id) => ({ user_id: userId, release_id })))
      .onConflict((conflict) => conflict.columns(["user_id", "release_id"]).doNothing())
      .execute();
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("followed_publisher").where("user_id", "=", userId).execute();
      await transaction.deleteFrom("told").where("user_id", "=", userId).execute();
      await transaction.deleteFrom("feed_key").where("user_id", "=", userId).execute();
    });
  }

  /** The first account takes over what the local admin owned. The account makes new feed keys itself. */
  async handOver(from: number, to: number): Promise<void> {
    const publishers = await this.followedPublishers(from);
    for (const publisher of publishers.values()) await this.followPublisher(to, publisher, true);
    const told = await this.database.selectFrom("told").select("release_id").where("user_id", "=", from).execute();
    for (const { release_id } of told) await this.markTold(to, [release_id]);
    await this.forgetUser(from);
  }
}
