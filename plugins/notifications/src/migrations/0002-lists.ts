import { migration } from "@longbox/sdk";

/** One index gives a user's list in its order, and both of its counts, without looking at a notification. */
export const lists = migration("0002-lists", async ({ schema }) => {
  await schema.dropIndex("notice_by_user").execute();
  await schema
    .createIndex("notice_by_user")
    .on("notice")
    .columns(["user_id", "shown", "at", "id", "restricted", "read"])
    .execute();
});
