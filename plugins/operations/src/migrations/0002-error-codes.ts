import { migration } from "@longbox/sdk";

/** By the code of its error, the reason why a job failed is said in the language of the reader. */
export const errorCodes = migration("0002-error-codes", async ({ schema, types }) => {
  await schema.alterTable("job").addColumn("error_code", types.text).execute();
  await schema.alterTable("job").addColumn("error_details", types.json).execute();
});
