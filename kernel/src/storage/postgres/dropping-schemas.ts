// Takes back what a copy that is given up has made on the server.
import { Client } from "pg";
import { quoted } from "./quoted.js";
import { acceptSchemas } from "./schemas.js";

const rolesOf = `
  select distinct pg_get_userbyid(nspowner) as role from pg_namespace
  where nspname = any($1) and nspowner <> current_user::regrole`;

/** Drops all schemas of a data folder that nothing uses, and the roles that they belonged to. */
export async function dropSchemas(folder: string, url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const schemas = await acceptSchemas(folder);
    const { rows } = await client.query(rolesOf, [schemas]);
    for (const schema of schemas) await client.query(`drop schema if exists ${quoted(schema)} cascade`);
    for (const { role } of rows as { role: string }[]) {
      await client.query(`drop owned by ${quoted(role)}`);
      await client.query(`drop role ${quoted(role)}`);
    }
  } finally {
    await client.end();
  }
}
