import { sql } from "kysely";
import { migration, type MigrationStep } from "@longbox/sdk";

type Schema = MigrationStep["schema"];

/**
 * Every order of series ends with the title. A column that may be null is replaced by a value that sorts the same on
 * every engine.
 */
async function sortSeries(schema: Schema): Promise<void> {
  for (const name of ["series_by_missing", "series_by_year", "series_by_year_down", "series_by_latest"])
    await schema.dropIndex(name).execute();
  const orders = {
    series_by_missing: sql`(missing + gaps) desc`,
    series_by_year: sql`(coalesce(year, 0))`,
    series_by_year_down: sql`(coalesce(year, 0)) desc`,
    series_by_latest: sql`(coalesce(latest, '')) desc`,
  };
  for (const [name, order] of Object.entries(orders))
    await schema
      .createIndex(name)
      .on("series")
      .column("state")
      .expression(order)
      .columns(["title_order", "id"])
      .execute();
}

/** The orders of wanted and of missing issues: by their number in the series, or by date with undated issues last. */
async function sortWanted(schema: Schema): Promise<void> {
  for (const counter of ["wanted", "missing"])
    for (const direction of ["", " desc"])
      await schema
        .createIndex(`series_most_${counter}${direction === "" ? "_up" : ""}`)
        .on("series")
        .columns(["state", `${counter}${direction}`, "title_order", "id"])
        .where(sql.ref(counter), ">", 0)
        .execute();
  await schema.dropIndex("issue_missing_by_date").execute();
  await schema.dropIndex("issue_wanted_by_date").execute();
  for (const [suffix, undated] of [
    ["", sql`''`],
    ["_up", sql`'~'`],
  ] as const) {
    const released = sql`(coalesce(store_date, cover_date, ${undated}))`;
    await schema
      .createIndex(`issue_missing_by_date${suffix}`)
      .on("issue")
      .expression(released)
      .where(sql.ref("owned"), "=", 0)
      .where(sql.ref("present"), "=", 1)
      .execute();
    // Another condition than that of the index of wanted issues, so that neither is taken for the order of the other.
    await schema
      .createIndex(`issue_wanted_by_date${suffix}`)
      .on("issue")
      .expression(released)
      .where(sql.ref("wanted"), ">", 0)
      .execute();
  }
}

/** Every list of series sorts titles with their numbers by value, and every order has its index. */
export const sortedListsMigration = migration("0012-sorted-lists", async ({ schema }) => {
  await sortSeries(schema);
  await sortWanted(schema);
});
