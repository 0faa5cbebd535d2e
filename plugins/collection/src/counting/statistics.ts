import { sql } from "kysely";
import type { StatsPart } from "@longbox/stats/contract";
import type { CollectionDatabase } from "../tables.js";

/** What the collection adds to the statistics. Sums are of everything; series are named only to those who may know of them. */
export function collectionStatistics(reader: CollectionDatabase): StatsPart[] {
  return [
    { key: "files", read: () => countFiles(reader) },
    { key: "collection", read: () => countCollection(reader) },
    { key: "completion", read: (viewer) => countCompletion(reader, viewer.seesRestricted) },
  ];
}

async function countFiles(reader: CollectionDatabase): Promise<Record<string, unknown>> {
  const ending = <A extends string>(name: A) => sql<number>`coalesce(sum(lower(name) like ${`%.${name}`}), 0)`.as(name);
  const { cbz, cbr, pdf, ...row } = await reader
    .selectFrom("file")
    .select([
      sql<number>`count(*)`.as("total"),
      sql<number>`coalesce(sum(valid), 0)`.as("valid"),
      sql<number>`coalesce(sum(valid = 0), 0)`.as("corrupt"),
      sql<number>`coalesce(sum(tagged), 0)`.as("tagged"),
      sql<number>`coalesce(sum(tagged = 0), 0)`.as("untagged"),
      sql<number>`coalesce(sum(size), 0)`.as("bytes"),
      sql<number>`coalesce(sum(pages), 0)`.as("pages"),
      ending("cbz"),
      ending("cbr"),
      ending("pdf"),
    ])
    .executeTakeFirstOrThrow();
  return { ...row, formats: { cbz, cbr, pdf, other: row.total - cbz - cbr - pdf } };
}

async function countCollection(reader: CollectionDatabase): Promise<Record<string, unknown>> {
  const tracked = reader.selectFrom("series").where("state", "=", "tracked");
  const sums = await tracked
    .select([sql<number>`count(*)`.as("series"), sql<number>`coalesce(sum(owned), 0)`.as("ownedIssues")])
    .executeTakeFirstOrThrow();
  const { followed } = await reader
    .selectFrom("follow")
    .select((eb) => eb.fn.count<number>("series_id").distinct().as("followed"))
    .executeTakeFirstOrThrow();
  const byPublisher = await tracked
    .where("publisher", "is not", null)
    .groupBy("publisher")
    .select([
      "publisher",
      sql<number>`count(*)`.as("series"),
      sql<number>`sum(owned)`.as("issues"),
      sql<number>`sum(files)`.as("files"),
      sql<number>`sum(size)`.as("bytes"),
    ])
    .orderBy("issues", "desc")
    .orderBy("publisher")
    .execute();
  return { ...sums, followed, byPublisher };
}

async function countCompletion(reader: CollectionDatabase, seesRestricted: boolean): Promise<Record<string, unknown>> {
  const tracked = reader.selectFrom("series").where("state", "=", "tracked");
  const sums = await tracked
    .select([
      sql<number>`coalesce(sum(missing = 0 and total > 0), 0)`.as("complete"),
      sql<number>`coalesce(sum(missing > 0), 0)`.as("incomplete"),
      sql<number>`coalesce(sum(missing), 0)`.as("missingIssues"),
      sql<number>`coalesce(sum(case when cv_id is not null then total end), 0)`.as("cvIssuesTotal"),
    ])
    .executeTakeFirstOrThrow();
  const gaps = tracked
    .where("missing", ">", 0)
    .select(["id", "title", "owned", "total", "missing"])
    .orderBy("missing", "desc")
    .orderBy("title_key")
    .limit(12);
  return { ...sums, topGaps: await (seesRestricted ? gaps : gaps.where("hidden", "=", 0)).execute() };
}
