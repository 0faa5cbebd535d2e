import { sql, type Expression, type SqlBool } from "kysely";
import type { Viewer } from "@longbox/sdk";
import type { StatsPart } from "@longbox/stats/contract";
import type { CollectionDatabase } from "../tables.js";

/**
 * What the collection adds to the statistics. Sums are of everything; series and publishers are named, and counted by
 * name, only as far as the viewer may know of them.
 */
export function collectionStatistics(reader: CollectionDatabase): StatsPart[] {
  return [
    { key: "files", read: () => countFiles(reader) },
    { key: "collection", read: (viewer) => countCollection(reader, viewer) },
    { key: "completion", read: (viewer) => countCompletion(reader, viewer) },
  ];
}

/** How many rows the condition holds for. */
const countIf = (condition: Expression<SqlBool>) => sql<number>`count(*) filter (where ${condition})`;

const shownFormats = ["cbz", "cbr", "pdf"] as const;

async function countFiles(reader: CollectionDatabase): Promise<Record<string, unknown>> {
  const sums = await reader
    .selectFrom("file")
    .select((eb) => [
      eb.fn.countAll<number>().as("total"),
      countIf(eb("valid", "=", 1)).as("valid"),
      countIf(eb("valid", "=", 0)).as("corrupt"),
      countIf(eb("tagged", "=", 1)).as("tagged"),
      countIf(eb("tagged", "=", 0)).as("untagged"),
      sql<number>`coalesce(sum(size), 0)`.as("bytes"),
      sql<number>`coalesce(sum(pages), 0)`.as("pages"),
    ])
    .executeTakeFirstOrThrow();
  return { ...sums, formats: await countFormats(reader, sums.total) };
}

async function countFormats(reader: CollectionDatabase, total: number): Promise<Record<string, number>> {
  const rows = await reader
    .selectFrom("file")
    .select((eb) => ["format", eb.fn.countAll<number>().as("files")])
    .where("format", "in", shownFormats)
    .groupBy("format")
    .execute();
  const byFormat = new Map(rows.map((row) => [row.format, row.files]));
  const shown = shownFormats.map((format) => [format, byFormat.get(format) ?? 0] as const);
  return { ...Object.fromEntries(shown), other: total - shown.reduce((sum, [, files]) => sum + files, 0) };
}

async function countCollection(reader: CollectionDatabase, viewer: Viewer): Promise<Record<string, unknown>> {
  const tracked = reader.selectFrom("series").where("state", "=", "tracked");
  const sums = await tracked
    .select((eb) => [eb.fn.countAll<number>().as("series"), sql<number>`coalesce(sum(owned), 0)`.as("ownedIssues")])
    .executeTakeFirstOrThrow();
  const { followed } = await reader
    .selectFrom("follow")
    .select((eb) => eb.fn.count<number>("series_id").distinct().as("followed"))
    .executeTakeFirstOrThrow();
  const named = (viewer.seesRestricted ? tracked : tracked.where("hidden", "=", 0)).where("publisher", "is not", null);
  const byPublisher = await named
    .groupBy("publisher")
    .select((eb) => [
      "publisher",
      eb.fn.countAll<number>().as("series"),
      eb.fn.sum<number>("owned").as("issues"),
      eb.fn.sum<number>("files").as("files"),
      eb.fn.sum<number>("size").as("bytes"),
    ])
    .orderBy("issues", "desc")
    .orderBy("publisher", (order) => order.asc().nullsLast())
    .execute();
  return { ...sums, followed, byPublisher };
}

async function countCompletion(reader: CollectionDatabase, viewer: Viewer): Promise<Record<string, unknown>> {
  const tracked = reader.selectFrom("series").where("state", "=", "tracked");
  const sums = await tracked
    .select((eb) => [
      countIf(eb.and([eb("missing", "=", 0), eb("gaps", "=", 0), eb("total", ">", 0)])).as("complete"),
      countIf(eb.or([eb("missing", ">", 0), eb("gaps", ">", 0)])).as("incomplete"),
      sql<number>`coalesce(sum(missing + gaps), 0)`.as("missingIssues"),
      sql<number>`coalesce(sum(case when cv_id is not null then total end), 0)`.as("cvIssuesTotal"),
    ])
    .executeTakeFirstOrThrow();
  const gaps = tracked
    .where((eb) => eb(eb("missing", "+", eb.ref("gaps")), ">", 0))
    .select((eb) => [
      "id",
      "title",
      "owned",
      eb("total", "+", eb.ref("gaps")).as("total"),
      eb("missing", "+", eb.ref("gaps")).as("missing"),
    ])
    .orderBy((eb) => eb("missing", "+", eb.ref("gaps")), "desc")
    .orderBy("title_order")
    .limit(12);
  return { ...sums, topGaps: await (viewer.seesRestricted ? gaps : gaps.where("hidden", "=", 0)).execute() };
}
