import { sql } from "kysely";
import { Conflict, inBatches, isAmong, type Viewer } from "@longbox/sdk";
import type { Adding } from "../series/adding.js";
import type { CatalogContract, ProviderIssueDetail, ProviderVolume } from "./catalog-contract.js";
import type { Changes } from "../changes.js";
import { SeriesNotFound, VolumeNotFound } from "../errors.js";
import { listAnnuals, readAnnuals } from "./annual-evidence.js";
import { readEvidence } from "./evidence.js";
import { mergeSeries, type IssueMerge } from "../issues/merging.js";
import { detachVolume } from "../series/repointing.js";
import type { Picking } from "../issues/picking.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { SeriesReading } from "../series/series-reading.js";
import type { CollectionDatabase, CollectionTransaction } from "../tables.js";
import { takeAnnuals } from "./taking-annuals.js";
import { VolumeWriting } from "./volume-writing.js";
import { describeIssue } from "../series/describing.js";
import type { IssueDetails } from "../issues/issue-details.js";
import type { Getting } from "../issues/getting.js";
import { AddingWorks } from "./adding-works.js";
import type { WorkCatalogContract } from "./work-catalog-contract.js";
import { WorkWriting } from "./work-writing.js";

export interface CatalogParts {
  readonly database: CollectionDatabase;
  /** For queries that read every series. */
  readonly reader: CollectionDatabase;
  readonly series: SeriesReading;
  readonly search: SearchIndex;
  readonly changes: Changes;
  readonly adding: Adding;
  readonly picking: Picking;
  readonly getting: Getting;
  readonly issues: { readonly details: IssueDetails };
}

/** The collection as metadata providers write to it. */
export function catalogContract(parts: CatalogParts): CatalogContract {
  return { ...writing(parts), ...finding(parts), ...listing(parts), ...ofWorks(parts) };
}

function ofWorks({ issues, ...parts }: CatalogParts): WorkCatalogContract {
  const works = new WorkWriting({ ...parts, details: issues.details });
  const adding = new AddingWorks({ ...parts, details: issues.details });
  return {
    describeWork: (issueId, work, viewer) => works.describe(issueId, work, viewer),
    forgetWork: (issueId, former, viewer) => works.forget(issueId, former, viewer),
    addWork: (work, request) => adding.add(work, request),
  };
}

type Part<Names extends keyof CatalogContract> = Pick<CatalogContract, Names>;

function writing(
  parts: CatalogParts,
): Part<
  "addVolume" | "matchSeries" | "repointSeries" | "refreshSeries" | "takeAnnuals" | "pickIssues" | "describeIssue"
> {
  return {
    addVolume: (volume, request) => parts.adding.add(volume, request),
    matchSeries: (seriesId, volume, viewer) => point(parts, { seriesId, volume, viewer }, async () => {}),
    repointSeries: (seriesId, volume, viewer) => point(parts, { seriesId, volume, viewer }, detachVolume),
    refreshSeries: (seriesId, volume) => refresh(parts, seriesId, volume),
    takeAnnuals: (seriesId, volume, viewer) => takeAnnuals(parts, { seriesId, volume, viewer }),
    pickIssues: (cvIssueIds, request) => parts.picking.pickAnywhere(cvIssueIds, request),
    describeIssue: (detail: ProviderIssueDetail) => describeIssue(parts, detail),
  };
}

function finding({ database, series }: CatalogParts): Part<"findByVolumes" | "findEvidence" | "findAnnuals"> {
  return {
    async findByVolumes(cvIds, viewer: Viewer) {
      const found = [];
      for (const ids of inBatches([...new Set(cvIds)])) {
        const query = database
          .selectFrom("series")
          .select(["id", "cv_id"])
          .where("state", "=", "tracked")
          .where("cv_id", "in", ids);
        found.push(...(await (viewer.seesRestricted ? query : query.where("hidden", "=", 0)).execute()));
      }
      return found.map((row) => ({ cvId: row.cv_id as number, seriesId: row.id }));
    },
    async findEvidence(seriesId, viewer) {
      const row = await series.find(seriesId, viewer);
      return row && (await readEvidence(database, [row]))[0];
    },
    async findAnnuals(seriesId, viewer) {
      const row = await series.find(seriesId, viewer);
      return row && (await readAnnuals(database, [row]))[0];
    },
  };
}

/** The lists of series that providers process in the background. */
function listing({
  database,
  reader,
}: CatalogParts): Part<"listUnmatched" | "listAnnuals" | "listStale" | "countMatched"> {
  return {
    async listUnmatched({ afterId, limit, libraryTypes }) {
      const rows = await database
        .selectFrom("series")
        .select(["id", "cv_id", "title", "aliases", "year", "publisher", "type"])
        .where("state", "=", "tracked")
        .where(isAmong("type", libraryTypes))
        .where("cv_id", "is", null)
        .where("id", ">", afterId)
        .orderBy("id")
        .limit(limit)
        .execute();
      return await readEvidence(database, rows);
    },
    listAnnuals: (range) => listAnnuals({ database, reader }, range),
    async listStale({ before, limit, libraryTypes }) {
      const rows = await reader
        .selectFrom("series")
        .select(["id", "cv_id"])
        .where("state", "=", "tracked")
        .where("cv_id", "is not", null)
        .where(isAmong("type", libraryTypes))
        .where((eb) => eb.or([eb("refreshed_at", "is", null), eb("refreshed_at", "<", before)]))
        .orderBy("refreshed_at", (order) => order.asc().nullsFirst())
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ seriesId: row.id, cvId: row.cv_id as number }));
    },
    countMatched: (libraryTypes) => countMatched(reader, libraryTypes),
  };
}

async function countMatched(
  reader: CollectionDatabase,
  libraryTypes: readonly string[],
): ReturnType<CatalogContract["countMatched"]> {
  return await reader
    .selectFrom("series")
    .where("state", "=", "tracked")
    .where(isAmong("type", libraryTypes))
    .select([
      sql<number>`count(*) filter (where cv_id is not null)`.as("matchedSeries"),
      sql<number>`count(*) filter (where cv_id is null)`.as("unmatchedSeries"),
      sql<number>`coalesce(sum(case when cv_id is not null then files end), 0)`.as("matchedFiles"),
      sql<number>`coalesce(sum(case when cv_id is null then files end), 0)`.as("unmatchedFiles"),
    ])
    .executeTakeFirstOrThrow();
}

interface Pointing {
  readonly seriesId: number;
  readonly volume: ProviderVolume;
  readonly viewer: Viewer;
}

/** Gives a series a volume; when another series has that volume already, the two become one. */
async function point(
  { database, search, changes }: CatalogParts,
  { seriesId, volume, viewer }: Pointing,
  before: (transaction: CollectionTransaction, seriesId: number) => Promise<void>,
): Promise<number> {
  const merges: IssueMerge[] = [];
  const outcome = await database.transaction().execute(async (transaction) => {
    const isHidden = (row: { readonly hidden: number }) => row.hidden === 1 && !viewer.seesRestricted;
    const series = transaction.selectFrom("series").select(["id", "hidden"]);
    const row = await series.where("id", "=", seriesId).executeTakeFirst();
    if (!row || isHidden(row)) throw new SeriesNotFound(seriesId);
    const other = await series.where("cv_id", "=", volume.cvId).where("id", "<>", seriesId).executeTakeFirst();
    if (other && isHidden(other)) throw new VolumeNotFound(volume.cvId);
    await before(transaction, seriesId);
    if (other) merges.push(...(await mergeSeries(transaction, search, { from: seriesId, to: other.id })));
    const remaining = other?.id ?? seriesId;
    if (other) await transaction.updateTable("series").set({ state: "tracked" }).where("id", "=", remaining).execute();
    const written = await new VolumeWriting(transaction, search).write(remaining, volume);
    return { remaining, seriesIds: [...written.seriesIds, seriesId], merges: [...merges, ...written.merges] };
  });
  changes.announceSeries(outcome.seriesIds);
  changes.announceMerges(outcome.merges);
  return outcome.remaining;
}

async function refresh(
  { database, search, changes }: CatalogParts,
  seriesId: number,
  volume: ProviderVolume,
): Promise<void> {
  const written = await database.transaction().execute(async (transaction) => {
    const row = await transaction.selectFrom("series").select("cv_id").where("id", "=", seriesId).executeTakeFirst();
    if (!row) throw new SeriesNotFound(seriesId);
    if (row.cv_id !== volume.cvId)
      throw new Conflict("collection/other-volume", "The series is another volume by now.", { seriesId });
    return await new VolumeWriting(transaction, search).write(seriesId, volume);
  });
  changes.announceSeries(written.seriesIds);
  changes.announceMerges(written.merges);
}
