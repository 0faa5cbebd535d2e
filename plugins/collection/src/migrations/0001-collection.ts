import { migration, type MigrationStep } from "@longbox/sdk";
import { makeExternalIds, makeFiles, makeFollowing, makeWorks } from "./holding-tables.js";
import { makeIssueDetails, makeIssues } from "./issue-tables.js";
import { makeSeries, makeSeriesSources } from "./series-tables.js";

/**
 * Libraries, series, issues and files. Counters of a series are kept by every write, so that lists never add up issues.
 */
export const collectionMigration = migration("0001-collection", async (step) => {
  await makeIdentities(step);
  await makeLibraries(step);
  await makeSeries(step);
  await makeSeriesSources(step);
  await makeIssues(step);
  await makeIssueDetails(step);
  await makeFiles(step);
  await makeExternalIds(step);
  await makeWorks(step);
  await makeFollowing(step);
});

async function makeIdentities({ schema, types, database }: MigrationStep): Promise<void> {
  await schema
    .createTable("identity")
    .addColumn("name", types.text, (column) => column.primaryKey())
    .addColumn("next", types.id, (column) => column.notNull())
    .execute();
  const names = ["library", "series", "issue", "file", "work"];
  await database
    .insertInto("identity")
    .values(names.map((name) => ({ name, next: 1 })))
    .execute();
}

async function makeLibraries({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("library")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("type", types.text, (column) => column.notNull())
    .addColumn("root_folder", types.text, (column) => column.notNull().unique())
    .addColumn("folder_pattern", types.text, (column) => column.notNull().defaultTo(""))
    .addColumn("restricted", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("sort_order", types.count, (column) => column.notNull().defaultTo(0))
    .addColumn("tag_placement", types.text, (column) => column.notNull().defaultTo("embed"))
    .addColumn("created_at", types.text, (column) => column.notNull())
    .execute();
}
