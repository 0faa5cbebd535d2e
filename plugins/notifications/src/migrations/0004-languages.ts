import { migration } from "@longbox/sdk";

/** A notification is kept in all languages in which it was said, so that it follows its reader to another one. */
export const languages = migration("0004-languages", async ({ schema, types }) => {
  await schema.alterTable("notice").addColumn("texts", types.json).execute();
});
