import { migration } from "@longbox/sdk";

/** What a person wrote about an issue, which files and providers do not overwrite. */
export const editedIssuesMigration = migration("0010-edited-issues", async ({ schema, types }) => {
  await schema.alterTable("issue").addColumn("edits", types.json).execute();
  await schema.alterTable("issue").addColumn("cover_page", types.count).execute();
});
