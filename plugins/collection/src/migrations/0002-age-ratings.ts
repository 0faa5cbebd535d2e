import { migration } from "@longbox/sdk";

/** For whom an issue is, as its tags say it. */
export const ageRatingsMigration = migration("0002-age-ratings", async ({ schema, types }) => {
  await schema.alterTable("issue_detail").addColumn("age_rating", types.text).execute();
});
