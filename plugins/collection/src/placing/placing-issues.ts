import { excluded, inBatches, isAmong, rowsInsert } from "@longbox/sdk";
import type { Insertable } from "kysely";
import { countsOfOnlyFile } from "../counting/counters.js";
import { keepIssueEdits } from "../issues/issue-editing.js";
import { titleWords } from "../issues/issue-titles.js";
import { numberWithin, type IssueNumber } from "../issues/issue-number.js";
import { idRows, writeIds } from "../ids/external-ids.js";
import type { KnownIssue, PlacingBatch, Reading } from "./placing-batch.js";
import type { WorksByTitle } from "./same-work.js";
import {
  reserveIds,
  type CollectionTables,
  type CollectionTransaction,
  type IssueDetailTable,
  type IssueTable,
} from "../tables.js";

/** Decides and records the issue of every file of a batch, and what the files say of their issues. */
export class IssuePlacing {
  readonly #transaction: CollectionTransaction;
  readonly #batch: PlacingBatch;
  readonly #works: WorksByTitle;
  readonly #seriesOf: ReadonlyMap<string, number>;
  readonly #made: Array<{ row: KnownIssue; reading: Reading }> = [];
  readonly #learnt = new Map<number, Partial<IssueTable>>();
  #nextId = 0;

  constructor(
    transaction: CollectionTransaction,
    { batch, works }: { readonly batch: PlacingBatch; readonly works: WorksByTitle },
    seriesOf: ReadonlyMap<string, number>,
  ) {
    this.#transaction = transaction;
    this.#batch = batch;
    this.#works = works;
    this.#seriesOf = seriesOf;
  }

  /** @returns `made`: those that there were not before, each with a file of the batch */
  async place(): Promise<{ issueOf: Map<string, number>; made: Set<number>; textChanged: Set<number> }> {
    const unnumbered = this.#batch.readings
      .filter(isUnnumbered)
      .map((reading) => this.#seriesOf.get(reading.file.path) as number);
    await this.#batch.loadSoleIssues(
      this.#transaction,
      unnumbered.filter((id) => this.#batch.series.get(id)?.cv_id !== null),
    );
    this.#nextId = await reserveIds(this.#transaction, "issue", this.#batch.readings.length);
    const issueOf = new Map<string, number>();
    const told = new Map<number, Reading[]>();
    for (const reading of this.#batch.readings) {
      const assigned = this.#batch.assignments.get(reading.file.path);
      const issue =
        (assigned && this.#batch.issues.get(assigned.issue_id)) ?? this.#choose(reading) ?? this.#make(reading);
      if (!assigned) this.#learn(reading, issue);
      this.#works.noteIssue(reading, issue);
      if (!assigned && issue.described === 0) told.set(issue.id, [...(told.get(issue.id) ?? []), reading]);
      issueOf.set(reading.file.path, issue.id);
    }
    const made = await this.#write();
    await this.#writeIds(issueOf);
    const textChanged = await this.#writeDetails(told, made);
    const known = [...new Set([...this.#learnt.keys(), ...told.keys()])].filter((id) => !made.has(id));
    await keepIssueEdits(this.#transaction, known);
    return { issueOf, made, textChanged };
  }

  /**
   * A file that says what it said before stays where it is. Else the provider's id inside the file decides; without
   * one, the number does, and an issue that the provider lists comes first.
   */
  #choose(reading: Reading): KnownIssue | undefined {
    const seriesId = this.#seriesOf.get(reading.file.path) as number;
    const kept = this.#kept(reading, seriesId);
    if (kept) return kept;
    const { cvIssueId } = reading.file.issue;
    const ofNumber = this.#batch.issuesAt(seriesId, this.#numberOf(reading).sortKey);
    const same = ofNumber.filter((issue) => this.#works.mayBe(issue, reading));
    if (cvIssueId === undefined)
      return (
        this.#works.findIssue(reading, seriesId) ??
        same.find((issue) => issue.listed === 1) ??
        same[0] ??
        (isUnnumbered(reading) ? this.#batch.soleListed(seriesId) : undefined)
      );
    const byId = this.#batch.issuesByProvider.get(cvIssueId);
    if (byId) return byId.series_id === seriesId ? byId : same[0];
    return same.find((issue) => issue.cv_issue_id === null);
  }

  /** The file's number as its series counts. */
  #numberOf({ file, number }: Reading): IssueNumber {
    const series = this.#batch.series.get(this.#seriesOf.get(file.path) as number);
    return series ? numberWithin(series.title_key, number) : number;
  }

  #kept({ file, number }: Reading, seriesId: number): KnownIssue | undefined {
    const known = this.#batch.files.get(file.path);
    if (!known || known.assigned === 1) return undefined;
    const saysTheSame =
      known.read_number === number.text &&
      known.read_kind === number.kind &&
      known.read_cv_issue_id === (file.issue.cvIssueId ?? null);
    const issue = saysTheSame ? this.#batch.issues.get(known.issue_id) : undefined;
    return issue?.series_id === seriesId ? issue : undefined;
  }

  #make(reading: Reading): KnownIssue {
    const { cvIssueId } = reading.file.issue;
    const row: KnownIssue = {
      id: this.#nextId++,
      series_id: this.#seriesOf.get(reading.file.path) as number,
      cv_issue_id: cvIssueId !== undefined && !this.#batch.issuesByProvider.has(cvIssueId) ? cvIssueId : null,
      sort_key: this.#numberOf(reading).sortKey,
      present: 1,
      listed: 0,
      described: 0,
      title: reading.file.issue.title ?? null,
      cover_date: reading.file.issue.coverDate ?? null,
      language: reading.file.issue.language ?? null,
    };
    this.#batch.addIssue(row);
    this.#made.push({ row, reading });
    return row;
  }

  #learn(reading: Reading, issue: KnownIssue): void {
    const { cvIssueId, title, coverDate, language } = reading.file.issue;
    const learnt: Partial<IssueTable> = {};
    if (issue.present === 0) learnt.present = issue.present = 1;
    if (issue.cv_issue_id === null && cvIssueId !== undefined && !this.#batch.issuesByProvider.has(cvIssueId)) {
      learnt.cv_issue_id = issue.cv_issue_id = cvIssueId;
      this.#batch.issuesByProvider.set(cvIssueId, issue);
    }
    const mayRetell = issue.listed === 0;
    if (title !== undefined && issue.title !== title && (mayRetell || issue.title === null))
      Object.assign(learnt, { title: (issue.title = title), title_words: titleWords(title) });
    if (coverDate !== undefined && issue.cover_date !== coverDate && (mayRetell || issue.cover_date === null))
      learnt.cover_date = issue.cover_date = coverDate;
    if (language !== undefined && issue.language !== language) learnt.language = issue.language = language;
    if (Object.keys(learnt).length > 0) this.#learnt.set(issue.id, { ...this.#learnt.get(issue.id), ...learnt });
  }

  /** Their files are stored next, so that none of them is ever missing. @returns the issues that were made */
  async #write(): Promise<Set<number>> {
    const { now } = this.#batch;
    const rows = this.#made.map(({ row, reading }) => {
      const { text: number, value = null, kind } = this.#numberOf(reading);
      const counts = countsOfOnlyFile(reading.file);
      return {
        ...row,
        title_words: titleWords(row.title),
        number,
        value,
        kind,
        ...counts,
        owned_at: now,
        added_at: now,
      };
    });
    await insertIssues(this.#transaction, rows);
    const made = new Set(this.#made.map(({ row }) => row.id));
    for (const [id, learnt] of this.#learnt) {
      const inserted = made.has(id) && learnt.present === undefined;
      if (!inserted) await this.#transaction.updateTable("issue").set(learnt).where("id", "=", id).execute();
    }
    return made;
  }

  async #writeIds(issueOf: ReadonlyMap<string, number>): Promise<void> {
    const rows = this.#batch.readings.flatMap(({ file }) => [
      ...idRows("issue", issueOf.get(file.path) as number, file.issue.ids),
      ...idRows("series", this.#seriesOf.get(file.path) as number, file.series.ids),
    ]);
    await writeIds(this.#transaction, rows);
  }

  /** What is known of issues that also have files outside of this batch: a further format takes nothing of it away. */
  async #detailsOfOtherFiles(issueIds: readonly number[]): Promise<ReadonlyMap<number, IssueDetailTable[]>> {
    const found: IssueDetailTable[] = [];
    for (const ids of inBatches(issueIds)) {
      const files = await this.#transaction
        .selectFrom("file")
        .select(["issue_id", "path"])
        .where(isAmong("issue_id", ids))
        .execute();
      const shared = new Set(files.filter(({ path }) => !this.#seriesOf.has(path)).map(({ issue_id }) => issue_id));
      if (shared.size === 0) continue;
      found.push(
        ...(await this.#transaction
          .selectFrom("issue_detail")
          .selectAll()
          .where("issue_id", "in", [...shared])
          .execute()),
      );
    }
    return Map.groupBy(found, ({ issue_id }) => issue_id);
  }

  /** @returns the series whose creators grew */
  async #writeDetails(told: ReadonlyMap<number, readonly Reading[]>, made: ReadonlySet<number>): Promise<Set<number>> {
    const known = await this.#detailsOfOtherFiles([...told.keys()].filter((id) => !made.has(id)));
    const rows = [...told].flatMap(([id, readings]) => {
      const telling = readings.filter(({ file }) => tells(file.issue));
      if (telling.length === 0) return [];
      return [[...telling.map((reading) => detailRow(id, reading)), ...(known.get(id) ?? [])].reduce(filledIn)];
    });
    await replaceDetails(this.#transaction, rows);
    const creators = new Map<string, { series_id: number; name: string }>();
    for (const reading of [...told.values()].flat()) {
      const series_id = this.#seriesOf.get(reading.file.path) as number;
      for (const { name } of reading.file.issue.credits ?? [])
        creators.set(`${series_id} ${name}`, { series_id, name });
    }
    const added = await insertCreators(this.#transaction, [...creators.values()]);
    return new Set(added.map((row) => row.series_id));
  }
}

const detailColumns = [
  "description",
  "credits",
  "characters",
  "teams",
  "locations",
  "arcs",
  "subjects",
  "url",
  "age_rating",
] as const;

const insertIssues = rowsInsert<CollectionTables, Insertable<CollectionTables["issue"]>>((database, rows) =>
  database.insertInto("issue").values(rows),
);

const replaceDetails = rowsInsert<CollectionTables, IssueDetailTable>((database, rows) =>
  database
    .insertInto("issue_detail")
    .values(rows)
    .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(excluded(detailColumns))),
);

type Creator = CollectionTables["series_creator"];

const insertCreators = rowsInsert<CollectionTables, Creator, Pick<Creator, "series_id">>((database, rows) =>
  database
    .insertInto("series_creator")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning("series_id"),
);

/** The first says more; what it leaves empty is taken from the second. */
function filledIn(first: IssueDetailTable, second: IssueDetailTable): IssueDetailTable {
  const isEmpty = (value: unknown) => value === null || value === "[]";
  const filled = detailColumns.filter((column) => isEmpty(first[column]));
  return { ...first, ...Object.fromEntries(filled.map((column) => [column, second[column]])) };
}

/** A one-shot, or a file whose name has no number. */
const isUnnumbered = ({ number }: Reading) => number.kind === "one-shot" || number.text === "";

function tells(issue: Reading["file"]["issue"]): boolean {
  return (
    [issue.description, issue.url, issue.ageRating].some((text) => text !== undefined) ||
    [issue.credits, issue.characters, issue.teams, issue.locations, issue.arcs, issue.subjects].some(
      (list) => (list?.length ?? 0) > 0,
    )
  );
}

function detailRow(issueId: number, { file: { issue } }: Reading): IssueDetailTable {
  const json = (list: readonly unknown[] | undefined) => JSON.stringify(list ?? []);
  return {
    issue_id: issueId,
    description: issue.description ?? null,
    credits: json(issue.credits),
    characters: json(issue.characters),
    teams: json(issue.teams),
    locations: json(issue.locations),
    arcs: json(issue.arcs),
    subjects: json(issue.subjects),
    url: issue.url ?? null,
    age_rating: issue.ageRating ?? null,
  };
}
