import { needsPostgres, startPostgres } from "@longbox/test/postgres";

/**
 * For before the tests: with `LONGBOX_TEST_DATABASE=postgres` every test host keeps its tables in a PostgreSQL that is
 * started here, and so does every server that a test starts as a process.
 * @returns ends the server
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.LONGBOX_TEST_DATABASE !== "postgres") return undefined;
  if (needsPostgres.skip) throw new Error(needsPostgres.meta?.skipReason);
  const server = await startPostgres();
  process.env.LONGBOX_TEST_DATABASE = process.env.LONGBOX_DATABASE = server.url;
  return async () => server[Symbol.asyncDispose]();
}
