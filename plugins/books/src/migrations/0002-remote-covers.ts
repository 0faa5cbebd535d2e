import { migration } from "@longbox/sdk";

export const remoteCovers = migration("0002-remote-covers", async ({ schema, types }) => {
  await schema.alterTable("remote_book").addColumn("cover", types.text).execute();
});
