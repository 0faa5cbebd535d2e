import { foldTitle } from "@longbox/sdk";
import { kindOfSeries, withoutKind, parseIssueNumber } from "../issues/issue-number.js";
import { mergeIssue, type IssueMerge } from "../issues/merging.js";
import { annualSource } from "../placing/annual-source.js";
import type { CollectionTransaction, SeriesTable } from "../tables.js";

/** Cover dates run ahead of the year in which an annual appeared. */
const yearsApart = 1;

type Parent = Pick<SeriesTable, "id" | "year">;

interface Annual {
  readonly id: number;
  readonly number: string;
  readonly year: number | undefined;
}

interface Listed {
  readonly id: number;
  readonly sort_key: string;
  readonly year: number | undefined;
}

export interface GatheredAnnuals {
  readonly merges: readonly IssueMerge[];
  /** The series that they were taken from. */
  readonly seriesIds: readonly number[];
}

/**
 * Annuals that lie in the folder of their parent, such as `Moth Patrol Annual 2` in "Moth Patrol", become issues of the
 * series "Moth Patrol Annual" once a provider lists them there, and their folder leads there from then on. The year of
 * an annual decides; without one, the volume of annuals must begin when its parent does.
 */
export async function gatherAnnuals(transaction: CollectionTransaction, seriesId: number): Promise<GatheredAnnuals> {
  const series = await transaction
    .selectFrom("series")
    .select(["id", "title", "year", "library_id", "type"])
    .where("id", "=", seriesId)
    .executeTakeFirstOrThrow();
  if (kindOfSeries(series.title) !== "annual") return { merges: [], seriesIds: [] };
  const listed = await listedIn(transaction, seriesId);
  const merges: IssueMerge[] = [];
  const seriesIds: number[] = [];
  for (const parent of await parentsOf(transaction, series)) {
    const annuals = await annualsIn(transaction, parent.id);
    const own = pairs(annuals, listed, { parent: parent.year, annuals: series.year });
    for (const pair of own) await mergeIssue(transaction, pair);
    if (own.length === 0) continue;
    merges.push(...own);
    seriesIds.push(parent.id);
    // Where other annuals stay, a name alone does not tell which series it belongs to.
    if (own.length === annuals.length) await leadThere(transaction, parent.id, seriesId);
  }
  return { merges, seriesIds };
}

/** Moves the annuals of one parent whose numbers are listed in a series that is known to be theirs. */
export async function gatherFrom(
  transaction: CollectionTransaction,
  parentId: number,
  seriesId: number,
): Promise<readonly IssueMerge[]> {
  const annuals = await annualsIn(transaction, parentId);
  const listed = await listedIn(transaction, seriesId);
  const merges = annuals.flatMap(({ id, number }) => {
    const found = sameNumber(listed, number);
    return found ? [{ from: id, to: found.id }] : [];
  });
  for (const merge of merges) await mergeIssue(transaction, merge);
  if (merges.length === annuals.length) await leadThere(transaction, parentId, seriesId);
  return merges;
}

async function parentsOf(
  transaction: CollectionTransaction,
  { id, title, library_id, type }: Pick<SeriesTable, "id" | "title" | "library_id" | "type">,
): Promise<Parent[]> {
  return await transaction
    .selectFrom("series")
    .select(["id", "year"])
    .where("title_key", "=", foldTitle(title).replace(/ \S+$/, ""))
    .where("state", "=", "tracked")
    .where("type", "=", type)
    .where("id", "<>", id)
    .$if(library_id !== null, (query) => query.where("library_id", "=", library_id))
    .execute();
}

/** Those that files alone have made. */
async function annualsIn(transaction: CollectionTransaction, seriesId: number): Promise<Annual[]> {
  const rows = await transaction
    .selectFrom("issue")
    .select(["id", "number", "cover_date"])
    .where("series_id", "=", seriesId)
    .where("kind", "=", "annual")
    .where("owned", "=", 1)
    .where("listed", "=", 0)
    .where("cv_issue_id", "is", null)
    .execute();
  return rows.map(({ id, number, cover_date }) => ({ id, number, year: yearOf(cover_date) }));
}

async function listedIn(transaction: CollectionTransaction, seriesId: number): Promise<Listed[]> {
  const rows = await transaction
    .selectFrom("issue")
    .select(["id", "sort_key", "cover_date"])
    .where("series_id", "=", seriesId)
    .where("listed", "=", 1)
    .where("owned", "=", 0)
    .execute();
  return rows.map(({ id, sort_key, cover_date }) => ({ id, sort_key, year: yearOf(cover_date) }));
}

function pairs(
  annuals: readonly Annual[],
  listed: readonly Listed[],
  began: { readonly parent: number | null; readonly annuals: number | null },
): IssueMerge[] {
  const beganTogether =
    began.parent !== null &&
    began.annuals !== null &&
    began.annuals >= began.parent &&
    began.annuals - began.parent <= yearsApart;
  return annuals.flatMap(({ id, number, year }) => {
    const found = sameNumber(listed, number);
    if (!found) return [];
    const isSame =
      year !== undefined && found.year !== undefined ? Math.abs(year - found.year) <= yearsApart : beganTogether;
    return isSame ? [{ from: id, to: found.id }] : [];
  });
}

function sameNumber(listed: readonly Listed[], number: string): Listed | undefined {
  const { sortKey } = withoutKind(parseIssueNumber(number, "annual"));
  return listed.find((issue) => issue.sort_key === sortKey);
}

async function leadThere(transaction: CollectionTransaction, parentId: number, seriesId: number): Promise<void> {
  const sources = await transaction.selectFrom("series_source").selectAll().where("series_id", "=", parentId).execute();
  for (const { folder, name_key } of sources)
    await transaction
      .insertInto("series_source")
      .values({ folder, name_key: annualSource(name_key), series_id: seriesId })
      .onConflict((conflict) => conflict.columns(["folder", "name_key"]).doUpdateSet({ series_id: seriesId }))
      .execute();
}

const yearOf = (date: string | null) => (date === null ? undefined : Number(date.slice(0, 4)) || undefined);
