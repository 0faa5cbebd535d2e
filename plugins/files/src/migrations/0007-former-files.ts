import { sql } from "kysely";
import { migration, type MigrationStep } from "@longbox/sdk";

const fingerprintColumns = ["partial_md5", "name_md5"] as const;

/**
 * The fingerprints of present files stand with the files, and only former versions have a table of their own: a scan
 * writes the path of a new file four times less. Of readings only doubtful ones are in an index, which are few.
 */
export const formerFiles = migration("0007-former-files", async (step) => {
  await makeTables(step);
  await moveVersions(step);
  await makeIndexes(step);
});

async function makeTables({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("former_file")
    .addColumn("path", types.text, (column) => column.notNull())
    .addColumn("partial_md5", types.text, (column) => column.notNull())
    .addColumn("name_md5", types.text, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("seen_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("former_file_key", ["path", ...fingerprintColumns])
    .execute();
  for (const column of fingerprintColumns)
    await schema.alterTable("scanned_file").addColumn(column, types.text).execute();
}

async function moveVersions({ schema, database }: MigrationStep): Promise<void> {
  const columns = ["path", ...fingerprintColumns, "issue_id", "seen_at"];
  const versions = database.selectFrom("file_fingerprint");
  await database
    .insertInto("former_file")
    .columns(columns)
    .expression(versions.select(columns).where("is_current", "=", 0))
    .execute();
  await database
    .updateTable("scanned_file")
    .from(versions.select(columns).where("is_current", "=", 1).as("version"))
    .set((eb) => ({
      partial_md5: eb.ref("version.partial_md5"),
      name_md5: eb.ref("version.name_md5"),
      issue_id: eb.ref("version.issue_id"),
    }))
    .whereRef("version.path", "=", "scanned_file.path")
    .execute();
  await schema.dropTable("file_fingerprint").execute();
}

async function makeIndexes({ schema }: MigrationStep): Promise<void> {
  for (const column of [...fingerprintColumns, "issue_id"])
    await schema.createIndex(`former_file_by_${column}`).on("former_file").column(column).execute();
  for (const column of fingerprintColumns)
    await schema.createIndex(`scanned_file_by_${column}`).on("scanned_file").column(column).execute();
  await schema.dropIndex("scanned_file_by_doubts").execute();
  await schema
    .createIndex("scanned_file_by_doubts")
    .on("scanned_file")
    .column("path")
    .where(sql.ref("doubts"), "is not", null)
    .execute();
}
