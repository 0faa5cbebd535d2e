// Takes back what a copy that is given up has made on the server.
import { Client } from "pg";
import { quoted } from "./connection-pool.js";
import { acceptSchemas } from "./schemas.js";

/** Drops all schemas of a data folder that nothing uses. */
export async function dropSchemas(folder: string, url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const schema of await acceptSchemas(folder))
      await client.query(`drop schema if exists ${quoted(schema)} cascade`);
  } finally {
    await client.end();
  }
}
