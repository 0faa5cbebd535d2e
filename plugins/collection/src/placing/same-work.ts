import { foldTitle, inBatches } from "@longbox/sdk";
import { normaliseId } from "../ids/schemes.js";
import type { CollectionTransaction } from "../tables.js";
import type { KnownIssue, PlacingBatch, Reading } from "./placing-batch.js";

/**
 * Works that people know by their titles: their numbers within a series are often missing or wrong, and an ISBN says in
 * any folder that a file is another format of a work that is known.
 */
export class WorksByTitle {
  /** By the ISBNs of this batch: the issues that are known, and those that are not made yet, with their series. */
  readonly #issues = new Map<string, KnownIssue>();
  readonly #coming = new Map<string, { readonly work: Described; readonly seriesId: number }>();

  private constructor(
    private readonly batch: PlacingBatch,
    private readonly isByTitle: (libraryType: string) => boolean,
  ) {}

  /** @param isByTitle - whether the works of a library type are known by their titles */
  static async load(
    transaction: CollectionTransaction,
    batch: PlacingBatch,
    isByTitle: (libraryType: string) => boolean,
  ): Promise<WorksByTitle> {
    const works = new WorksByTitle(batch, isByTitle);
    const isbns = new Set(batch.readings.flatMap((reading) => works.#isbnOf(reading) ?? []));
    for (const some of inBatches([...isbns])) {
      const rows = await transaction
        .selectFrom("external_id")
        .select(["value", "subject_id"])
        .where("subject", "=", "issue")
        .where("scheme", "=", "isbn")
        .where("value", "in", some)
        .orderBy("subject_id", "desc")
        .execute();
      await batch.loadIssuesById(
        transaction,
        rows.map((row) => row.subject_id),
      );
      for (const { value, subject_id } of rows) {
        const issue = batch.issues.get(subject_id);
        if (issue) works.#issues.set(value, issue);
      }
    }
    return works;
  }

  /** The series of the work that has the file's ISBN, in the same library. */
  findSeries(reading: Reading): number | undefined {
    const isbn = this.#isbnOf(reading);
    if (isbn === undefined) return undefined;
    const issue = this.#issues.get(isbn);
    const coming = this.#coming.get(isbn);
    const [work, seriesId] = issue ? [issue, issue.series_id] : [coming?.work, coming?.seriesId];
    if (!work || seriesId === undefined || !isSameWork(work, reading)) return undefined;
    return this.batch.series.get(seriesId)?.library_id === reading.file.libraryId ? seriesId : undefined;
  }

  /** Notes which series a file came into, for others of its ISBN in the same batch. */
  noteSeries(reading: Reading, seriesId: number): void {
    const isbn = this.#isbnOf(reading);
    if (isbn === undefined || this.#coming.has(isbn)) return;
    const work = { sort_key: reading.number.sortKey, title: reading.file.issue.title ?? null };
    this.#coming.set(isbn, { work, seriesId });
  }

  /** The work that has the file's ISBN in this series. */
  findIssue(reading: Reading, seriesId: number): KnownIssue | undefined {
    const issue = this.#issues.get(this.#isbnOf(reading) ?? "");
    return issue?.series_id === seriesId && isSameWork(issue, reading) ? issue : undefined;
  }

  noteIssue(reading: Reading, issue: KnownIssue): void {
    const isbn = this.#isbnOf(reading);
    if (isbn !== undefined && !this.#issues.has(isbn)) this.#issues.set(isbn, issue);
  }

  /** Whether an issue of the file's number can be the file's work: not under an altogether different title. */
  mayBe(issue: KnownIssue, reading: Reading): boolean {
    return issue.listed === 1 || !this.#isOfTitle(reading) || isAlike(issue, reading);
  }

  #isOfTitle({ file }: Reading): boolean {
    const type = this.batch.libraryTypes.get(file.libraryId);
    return type !== undefined && this.isByTitle(type);
  }

  #isbnOf(reading: Reading): string | undefined {
    const isbn = reading.file.issue.ids?.["isbn"];
    return isbn === undefined || !this.#isOfTitle(reading) ? undefined : normaliseId("isbn", isbn);
  }
}

type Described = Pick<KnownIssue, "sort_key" | "title">;

/** Of works that share an ISBN: volumes and titles that were given one by mistake stay apart. */
const isSameWork = (work: Described, reading: Reading) => isSameNumber(work, reading) && isAlike(work, reading);

/** Works without a number sort behind the others by their titles. Not all formats can say a number. */
function isSameNumber(issue: Described, { number }: Reading): boolean {
  return issue.sort_key === number.sortKey || number.sortKey.startsWith("~");
}

/** A subtitle or a series' name may stand in one of two titles of a work. */
function isAlike(issue: Described, { file }: Reading): boolean {
  const [one, other] = [foldTitle(issue.title ?? ""), foldTitle(file.issue.title ?? "")];
  return one.includes(other) || other.includes(one);
}
