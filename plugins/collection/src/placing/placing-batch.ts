import { findAmong, foldTitle, inBatches, isAmong } from "@longbox/sdk";
import type { ReadFile } from "../contract.js";
import { bounded } from "./bounding.js";
import { parseIssueNumber, withoutKind, type IssueNumber } from "../issues/issue-number.js";
import type { CollectionTransaction, FileTable, IssueTable, SeriesTable } from "../tables.js";

export type KnownSeries = Pick<
  SeriesTable,
  | "id"
  | "cv_id"
  | "title_key"
  | "year"
  | "publisher"
  | "state"
  | "origin"
  | "pointed_by_hand"
  | "path"
  | "pinned"
  | "library_id"
  | "type"
>;
export type KnownIssue = Pick<
  IssueTable,
  | "id"
  | "series_id"
  | "cv_issue_id"
  | "sort_key"
  | "present"
  | "listed"
  | "described"
  | "title"
  | "cover_date"
  | "language"
>;

/** One file of a batch, with its number understood. */
export interface Reading {
  readonly file: ReadFile;
  readonly number: IssueNumber;
  readonly nameKey: string;
  /** The name under which the folder remembers its series: with what tells it from another of the same title. */
  readonly sourceName: string;
}

/** A work without a number is identified within its series by its title, and is sorted after those with a number. */
function numberOf({ issue }: ReadFile): IssueNumber {
  const number = parseIssueNumber(issue.number, issue.kind);
  if (number.text !== "" || issue.title === undefined) return number;
  return { ...number, sortKey: `~ ${foldTitle(issue.title)}` };
}

/** Those under which issues of the number are found. A regular issue with a number has only one. */
function keysOf(number: IssueNumber): string[] {
  const { kind, text, sortKey } = number;
  return kind === "issue" && text !== "" ? [sortKey] : [sortKey, withoutKind(number).sortKey];
}

export const sourceKey = (folder: string, nameKey: string) => `${folder}\u0000${nameKey}`;
const seriesColumns = [
  "id",
  "cv_id",
  "title_key",
  "year",
  "publisher",
  "state",
  "origin",
  "pointed_by_hand",
  "path",
  "pinned",
  "library_id",
  "type",
] as const;
const issueColumns = [
  "id",
  "series_id",
  "cv_issue_id",
  "sort_key",
  "present",
  "listed",
  "described",
  "title",
  "cover_date",
  "language",
] as const;

/** What the collection already knows about the files of one batch, fetched with a handful of statements. */
export class PlacingBatch {
  readonly readings: readonly Reading[];
  /** What is stored with the batch is as old as this. */
  readonly now = new Date().toISOString();
  readonly files = new Map<string, FileTable>();
  readonly assignments = new Map<string, { series_id: number; issue_id: number }>();
  readonly sources = new Map<string, number>();
  readonly series = new Map<number, KnownSeries>();
  readonly pinned = new Map<string, KnownSeries>();
  readonly seriesByVolume = new Map<number, KnownSeries>();
  readonly seriesByTitle = new Map<string, KnownSeries[]>();
  readonly issues = new Map<number, KnownIssue>();
  readonly issuesByProvider = new Map<number, KnownIssue>();
  readonly #issuesByKey = new Map<string, KnownIssue[]>();
  readonly #loaded = new Set<number>();
  readonly #sole = new Map<number, KnownIssue>();
  readonly libraryTypes = new Map<number, string>();

  private constructor(readings: readonly Reading[]) {
    this.readings = readings;
  }

  static async load(transaction: CollectionTransaction, files: readonly ReadFile[]): Promise<PlacingBatch> {
    const unique = [...new Map(files.map((file) => [file.path, bounded(file)])).values()];
    const nameKeys = new Map(unique.map(({ series: { name } }) => [name, ""]));
    for (const name of nameKeys.keys()) nameKeys.set(name, foldTitle(name));
    const readings = unique.map((file) => {
      const nameKey = nameKeys.get(file.series.name)!;
      const { apart } = file.series;
      return {
        file,
        number: numberOf(file),
        nameKey,
        sourceName: apart === undefined ? nameKey : `${nameKey} | ${apart}`,
      };
    });
    // Files without a number come last: they may be further copies of an issue that has one.
    const batch = new PlacingBatch(
      readings.toSorted((one, other) => Number(one.number.text === "") - Number(other.number.text === "")),
    );
    await batch.#loadByPath(transaction);
    await batch.#loadSeries(transaction);
    await batch.#loadProviderIssues(transaction);
    return batch;
  }

  addSeries(row: KnownSeries): void {
    if (this.series.has(row.id)) return;
    this.series.set(row.id, row);
    if (row.pinned === 1 && row.path !== null) this.pinned.set(row.path, row);
    if (row.cv_id !== null) this.seriesByVolume.set(row.cv_id, row);
    this.seriesByTitle.set(row.title_key, [...(this.seriesByTitle.get(row.title_key) ?? []), row]);
  }

  addIssue(row: KnownIssue): void {
    if (this.issues.has(row.id)) return;
    this.issues.set(row.id, row);
    if (row.cv_issue_id !== null) this.issuesByProvider.set(row.cv_issue_id, row);
    const key = `${row.series_id} ${row.sort_key}`;
    const same = this.#issuesByKey.get(key);
    if (same) same.push(row);
    else this.#issuesByKey.set(key, [row]);
  }

  issuesAt(seriesId: number, sortKey: string): readonly KnownIssue[] {
    return this.#issuesByKey.get(`${seriesId} ${sortKey}`) ?? [];
  }

  /** Fetches issues with their series. */
  async loadIssuesById(transaction: CollectionTransaction, issueIds: readonly number[]): Promise<void> {
    const missing = issueIds.filter((id) => !this.issues.has(id));
    for (const some of inBatches([...new Set(missing)]))
      for (const row of await transaction.selectFrom("issue").select(issueColumns).where(isAmong("id", some)).execute())
        this.addIssue(row);
    const seriesIds = issueIds.flatMap((id) => this.issues.get(id)?.series_id ?? []);
    const unknown = [...new Set(seriesIds)].filter((id) => !this.series.has(id));
    for (const some of inBatches(unknown))
      for (const row of await transaction
        .selectFrom("series")
        .select(seriesColumns)
        .where(isAmong("id", some))
        .execute())
        this.addSeries(row);
  }

  /** The only issue that the provider lists for a series: what a file without a number is there. */
  soleListed(seriesId: number): KnownIssue | undefined {
    return this.#sole.get(seriesId);
  }

  async loadSoleIssues(transaction: CollectionTransaction, seriesIds: Iterable<number>): Promise<void> {
    for (const id of new Set(seriesIds)) {
      const [only, ...others] = await transaction
        .selectFrom("issue")
        .select(issueColumns)
        .where("series_id", "=", id)
        .where("listed", "=", 1)
        .limit(2)
        .execute();
      if (!only || others.length > 0) continue;
      this.addIssue(only);
      this.#sole.set(id, this.issues.get(only.id) as KnownIssue);
    }
  }

  /** Fetches the issues, of these series, that have one of the numbers which the batch's files have. */
  async loadIssues(transaction: CollectionTransaction, seriesIds: Iterable<number>): Promise<void> {
    const wanted = [...new Set(seriesIds)].filter((id) => !this.#loaded.has(id));
    for (const id of wanted) this.#loaded.add(id);
    const keys = [...new Set(this.readings.flatMap(({ number }) => keysOf(number)))];
    for (const ids of inBatches(wanted)) {
      for (const some of inBatches(keys)) {
        const rows = await transaction
          .selectFrom("issue")
          .select(issueColumns)
          .where(isAmong("series_id", ids))
          .where(isAmong("sort_key", some))
          .orderBy("listed", "desc")
          .orderBy("id")
          .execute();
        for (const row of rows) this.addIssue(row);
      }
    }
  }

  async #loadByPath(transaction: CollectionTransaction): Promise<void> {
    for (const paths of inBatches(this.readings.map((reading) => reading.file.path))) {
      for (const row of await findAmong(transaction.selectFrom("file").selectAll(), "path", paths))
        this.files.set(row.path, row);
      for (const row of await findAmong(transaction.selectFrom("assignment").selectAll(), "path", paths))
        this.assignments.set(row.path, row);
    }
    for (const row of await transaction.selectFrom("library").select(["id", "type"]).execute())
      this.libraryTypes.set(row.id, row.type);
  }

  async #loadSeries(transaction: CollectionTransaction): Promise<void> {
    for (const folders of inBatches([...new Set(this.readings.map((reading) => reading.file.series.folder))])) {
      const rows = await transaction
        .selectFrom("series_source")
        .selectAll()
        .where(isAmong("folder", folders))
        .execute();
      for (const row of rows) this.sources.set(sourceKey(row.folder, row.name_key), row.series_id);
      for (const row of await transaction
        .selectFrom("series")
        .select(seriesColumns)
        .where(isAmong("path", folders))
        .where("pinned", "=", 1)
        .execute())
        this.addSeries(row);
    }
    const ids = [...this.sources.values(), ...[...this.assignments.values()].map((row) => row.series_id)];
    const volumes = this.readings.flatMap((reading) => reading.file.series.cvId ?? []);
    const titles = this.readings
      .filter((reading) => !this.sources.has(sourceKey(reading.file.series.folder, reading.sourceName)))
      .map((reading) => reading.nameKey);
    const seek = transaction.selectFrom("series").select(seriesColumns);
    for (const some of inBatches([...new Set(ids)]))
      for (const row of await seek.where(isAmong("id", some)).execute()) this.addSeries(row);
    for (const some of inBatches([...new Set(volumes)]))
      for (const row of await seek.where(isAmong("cv_id", some)).execute()) this.addSeries(row);
    for (const some of inBatches([...new Set(titles)]))
      for (const row of await seek.where(isAmong("title_key", some)).execute()) this.addSeries(row);
  }

  async #loadProviderIssues(transaction: CollectionTransaction): Promise<void> {
    const ids = [...this.readings.flatMap((reading) => reading.file.issue.cvIssueId ?? [])];
    for (const some of inBatches([...new Set(ids)])) {
      for (const row of await transaction
        .selectFrom("issue")
        .select(issueColumns)
        .where(isAmong("cv_issue_id", some))
        .execute())
        this.addIssue(row);
    }
    const held = [...this.assignments.values(), ...this.files.values()].map((row) => row.issue_id);
    for (const some of inBatches([...new Set(held)])) {
      for (const row of await transaction.selectFrom("issue").select(issueColumns).where(isAmong("id", some)).execute())
        this.addIssue(row);
    }
  }
}
