// Writes as fast as it can, and prints what has been acknowledged, until it is killed.
import { writeSync } from "node:fs";
import { z } from "zod";
import { sql } from "kysely";
import { migration } from "@longbox/sdk";
import { openStoring } from "../../dist/storage/index.js";

const [, , folder, work, postgres] = process.argv;
const log = {
  debug() {},
  info() {},
  warn() {},
  error: (message, fields) => writeSync(2, `${message} ${JSON.stringify(fields)}\n`),
};
const storing = await openStoring(postgres === undefined ? "sqlite" : { postgres }, { folder, log });
const storage = await storing.open("shelves");
await storage.migrate([
  migration("0001", async ({ schema, types }) => {
    await schema
      .createTable("written")
      .addColumn("number", types.id, (column) => column.primaryKey())
      .addColumn("half", types.count, (column) => column.notNull())
      .execute();
    await schema
      .createTable("ballast")
      .addColumn("place", types.id, (column) => column.primaryKey())
      .addColumn("bytes", types.bytes, (column) => column.notNull())
      .execute();
  }),
]);
const document = await storage.document("last", z.object({ number: z.number().default(0) }));
const start = Number(
  (await sql`select coalesce(max(number), 0) as last from written`.execute(storage.database())).rows[0].last,
);
const say = (text) => writeSync(1, `${text}\n`);

/** So much that a log of the engine's is full after forty transactions. */
const ballast = work === "fill" ? Buffer.alloc(400_000, 7) : undefined;

async function write(number, open) {
  say("begin");
  await open
    .database()
    .transaction()
    .execute(async (transaction) => {
      await sql`insert into written values (${number}, 1)`.execute(transaction);
      if (ballast)
        await sql`insert into ballast values (${number % 20}, ${ballast}) on conflict (place) do update set bytes = excluded.bytes`.execute(
          transaction,
        );
      await sql`update written set half = 2 where number = ${number}`.execute(transaction);
    });
  say(`row ${number}`);
}

async function adoptAnother(number) {
  say("begin");
  const trial = await storing.trial("shelves");
  await sql`insert into written values (${number}, 2)`.execute(trial.storage.database());
  const last = await trial.storage.document("last", z.object({ number: z.number().default(0) }));
  await last.update(() => ({ number }));
  await trial.adopt();
  say(`row ${number}`);
  say(`document ${number}`);
  await trial.storage.release();
}

/** Leaves a statement to PostgreSQL that takes longer than any test, and holds a row meanwhile. */
async function linger(number) {
  await storage
    .database()
    .transaction()
    .execute(async (transaction) => {
      await sql`insert into written values (${number}, 1)`.execute(transaction);
      const sleeping = sql`select pg_sleep(3600)`.execute(transaction);
      say(`row ${number}`);
      await sleeping;
    });
}

if (work === "linger") await linger(start + 1);
for (let number = start + 1; ; number += 1) {
  if (work === "adopt") await adoptAnother(number);
  else await write(number, storage);
  if (work === "write" && number % 5 === 0) {
    say("begin");
    await document.update(() => ({ number }));
    say(`document ${number}`);
  }
}
