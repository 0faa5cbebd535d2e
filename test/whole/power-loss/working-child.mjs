// Writes in every way that the kernel does, and says on its output what has been acknowledged, one line for each.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sql } from "kysely";
import { migration } from "@longbox/sdk";
import { openDocument, SqliteStoring } from "../../../kernel/dist/storage/index.js";

const [, , folder, rounds] = process.argv;
const log = { debug() {}, info() {}, warn() {}, error: (message) => writeSync(2, `${message}\n`) };
const numbered = z.object({ number: z.number().default(0) });
const say = (text) => writeSync(1, `${text}\n`);

const storing = new SqliteStoring({ folder, log });
const storage = await storing.open("shelves");
await storage.migrate([
  migration("0001", async ({ schema, types }) => {
    await schema
      .createTable("written")
      .addColumn("number", types.id, (column) => column.primaryKey())
      .addColumn("half", types.count, (column) => column.notNull())
      .execute();
  }),
]);
const document = await storage.document("last", numbered);
const settings = await openDocument(join(folder, "settings.json"), numbered, log);
const lock = await openDocument(join(folder, "plugins.lock.json"), numbered, log);
let row = 0;

async function writeRow() {
  row += 1;
  await storage
    .database()
    .transaction()
    .execute(async (transaction) => {
      await sql`insert into written values (${row}, 1)`.execute(transaction);
      await sql`update written set half = 2 where number = ${row}`.execute(transaction);
    });
  say(`row ${row}`);
}

/** What an upgrade does: a copy of the data becomes the data. */
async function adoptAnother(number) {
  const trial = await storing.trial("shelves");
  row += 1;
  await sql`insert into written values (${row}, 2)`.execute(trial.storage.database());
  const last = await trial.storage.document("last", numbered);
  await last.update(() => ({ number }));
  await trial.adopt();
  say(`row ${row}`);
  say(`document ${number}`);
  await trial.storage.release();
}

for (let round = 1; round <= Number(rounds); round += 1) {
  for (let times = 0; times < 5; times += 1) await writeRow();
  await document.update(() => ({ number: round }));
  say(`document ${round}`);
  await settings.update(() => ({ number: round }));
  say(`settings ${round}`);
  await lock.update(() => ({ number: round }));
  say(`lock ${round}`);
  if (round % 3 === 0) await adoptAnother(round);
}
process.exit(0);
