import { sql, type SelectQueryBuilder } from "kysely";
import { foldTitle, inBatches, perEngine, type Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import { SeriesNotFound } from "../errors.js";
import { numberGaps } from "../issues/number-gaps.js";
import { publicIssueId, toHoldingRow, type IssueShapes } from "../issues/issue-shape.js";
import type { LibraryRows } from "../libraries/library-rows.js";
import type { SearchIndex } from "../searching/search-index.js";
import { lockedIn } from "./lockable-fields.js";
import { arrange, select, type SeriesSelection, type SeriesSort } from "./series-selection.js";
import { sharedColumns, toSeriesRow, type SeriesRecord, type SharedSeries } from "./series-shape.js";
import type { SeriesDocument } from "../answers/shapes.js";
import {
  type CollectionDatabase,
  type CollectionTables,
  type CollectionTransaction,
  type FileTable,
  type IssueTable,
  type SeriesTable,
} from "../tables.js";

export interface SeriesRange {
  readonly sort: SeriesSort;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Reads series: lists on the reading thread, single ones at once. */
export class SeriesReading {
  readonly #database: CollectionDatabase;
  readonly #reader: CollectionDatabase;
  readonly #index: SearchIndex;
  readonly #changes: Changes;
  #totals = new Map<string, { generation: number; total: number }>();

  readonly #shapes: IssueShapes;
  readonly #libraryRows: LibraryRows;

  constructor(parts: {
    readonly database: CollectionDatabase;
    readonly reader: CollectionDatabase;
    readonly index: SearchIndex;
    readonly changes: Changes;
    readonly shapes: IssueShapes;
    readonly libraryRows: LibraryRows;
  }) {
    this.#database = parts.database;
    this.#reader = parts.reader;
    this.#index = parts.index;
    this.#changes = parts.changes;
    this.#shapes = parts.shapes;
    this.#libraryRows = parts.libraryRows;
  }

  async list(selection: SeriesSelection, range: SeriesRange, viewer: Viewer): Promise<SeriesRecord[]> {
    const chosen = await this.#chosen(selection, viewer);
    const rows = chosen.selectAll("series").select(followedBy(viewer));
    return await partOf(arrange(rows, range.sort, selection), range).execute();
  }

  /** The same, without what only this plugin needs. */
  async listShared(selection: SeriesSelection, range: SeriesRange, viewer: Viewer): Promise<SharedSeries[]> {
    const rows = (await this.#chosen(selection, viewer)).select(sharedColumns);
    return await partOf(arrange(rows, range.sort, selection), range).execute();
  }

  /**
   * The same without a limit, some at a time: reading 150 000 rows at once would delay all other requests. Which series
   * they are is settled at the start; one that goes away meanwhile is left out.
   */
  async *listAll(selection: SeriesSelection, sort: SeriesSort, viewer: Viewer): AsyncGenerator<SeriesRecord[]> {
    const query = await this.#chosen(selection, viewer);
    const inOrder = arrange(query.select("series.id"), sort, selection).as("chosen");
    const { ids } = await this.#reader.selectFrom(inOrder).select(allIds.as("ids")).executeTakeFirstOrThrow();
    for (const some of inBatches(JSON.parse(ids) as number[], 1000)) {
      const rows = await this.#reader
        .selectFrom("series")
        .selectAll("series")
        .select(followedBy(viewer))
        .where("series.id", "in", some)
        .execute();
      const byId = new Map(rows.map((row) => [row.id, row]));
      yield some.flatMap((id) => byId.get(id) ?? []);
    }
  }

  /** The tracked series of each title, in the order of the titles. */
  async findByTitles(titles: readonly string[], viewer: Viewer): Promise<SeriesTable[][]> {
    const keys = titles.map(foldTitle);
    const found = new Map<string, SeriesTable[]>();
    for (const some of inBatches([...new Set(keys)])) {
      const query = this.#database
        .selectFrom("series")
        .selectAll()
        .where("title_key", "in", some)
        .where("state", "=", "tracked")
        .orderBy("id");
      for (const row of await (viewer.seesRestricted ? query : query.where("hidden", "=", 0)).execute())
        found.set(row.title_key, [...(found.get(row.title_key) ?? []), row]);
    }
    return keys.map((key) => found.get(key) ?? []);
  }

  /** How many there are; remembered until something changes. */
  async count(selection: SeriesSelection, viewer: Viewer): Promise<number> {
    const key = JSON.stringify([
      selection,
      viewer.seesRestricted,
      selection.filter === "followed" ? viewer.user.id : "",
    ]);
    const { generation } = this.#changes;
    const known = this.#totals.get(key);
    if (known?.generation === generation) return known.total;
    const query = await this.#chosen(selection, viewer);
    const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    if (this.#totals.size > 500) this.#totals = new Map();
    this.#totals.set(key, { generation, total });
    return total;
  }

  /** A series that is tracked and that this viewer may see. @throws {SeriesNotFound} */
  async get(
    id: number,
    viewer: Viewer,
    database: CollectionDatabase | CollectionTransaction = this.#database,
  ): Promise<SeriesRecord> {
    const row = await this.find(id, viewer, database);
    if (!row || row.state !== "tracked") throw new SeriesNotFound(id);
    return row;
  }

  /**
   * The same for series that are not tracked any more; an id that was merged away leads to the series that it became.
   */
  async find(
    id: number,
    viewer: Viewer,
    database: CollectionDatabase | CollectionTransaction = this.#database,
  ): Promise<SeriesRecord | undefined> {
    const seek = (wanted: number) =>
      database
        .selectFrom("series")
        .selectAll("series")
        .select(followedBy(viewer))
        .where("id", "=", wanted)
        .where("state", "<>", "vanished")
        .executeTakeFirst();
    let row = await seek(id);
    if (!row) {
      const merge = await database
        .selectFrom("series_merge")
        .select("to_id")
        .where("from_id", "=", id)
        .executeTakeFirst();
      row = merge ? await seek(merge.to_id) : undefined;
    }
    return row && (viewer.seesRestricted || row.hidden === 0) ? row : undefined;
  }

  async read(id: number, viewer: Viewer): Promise<SeriesDocument> {
    const row = await this.get(id, viewer);
    const showPaths = viewer.may("library.manage");
    const { issues, filesOf } = await this.#content(row.id);
    const unlinked =
      row.cv_id === null
        ? []
        : issues.filter((issue) => issue.listed === 0).flatMap((issue) => filesOf.get(issue.id) ?? []);
    return {
      ...toSeriesRow(row),
      aliases: JSON.parse(row.aliases) as string[],
      locked: [...lockedIn(row)],
      coverIssue: coverIssueOf(row, issues),
      url: row.url,
      unit: this.#shapes.unitOf(row.type),
      ...(showPaths && row.path !== null
        ? { location: row.path, ...(row.pinned === 1 ? { path: row.path } : {}) }
        : {}),
      issues: issues.map((issue) =>
        this.#shapes.toRow(
          { ...issue, series_title: row.title, series_type: row.type },
          filesOf.get(issue.id) ?? [],
          showPaths,
        ),
      ),
      unlinkedFiles: unlinked.map((file) => toHoldingRow(file, showPaths)),
      gaps: row.cv_id === null ? numberGaps(issues.filter((issue) => issue.owned === 1)) : [],
    };
  }

  async #content(seriesId: number): Promise<{ issues: IssueTable[]; filesOf: Map<number, FileTable[]> }> {
    const issues = await this.#database
      .selectFrom("issue")
      .selectAll()
      .where("series_id", "=", seriesId)
      .where("present", "=", 1)
      .orderBy("sort_key")
      .orderBy("id")
      .execute();
    const files = await this.#database
      .selectFrom("file")
      .selectAll()
      .where("series_id", "=", seriesId)
      .orderBy("assigned", "desc")
      .orderBy("valid", "desc")
      .orderBy("path")
      .execute();
    return { issues, filesOf: Map.groupBy(files, (file) => file.issue_id) };
  }

  async #chosen(
    selection: SeriesSelection,
    viewer: Viewer,
  ): Promise<SelectQueryBuilder<CollectionTables, "series", object>> {
    const all = this.#reader.selectFrom("series");
    return select(all, await this.completed(selection), { viewer, index: this.#index });
  }

  /** Series without a library count as in the default one: the first of all. */
  async completed(selection: SeriesSelection): Promise<SeriesSelection> {
    if (selection.library === undefined) return selection;
    const [first] = await this.#libraryRows.read();
    return { ...selection, withUnassigned: first?.id === selection.library };
  }
}

function partOf<Row>(
  rows: SelectQueryBuilder<CollectionTables, "series", Row>,
  { limit = -1, offset = 0 }: SeriesRange,
): SelectQueryBuilder<CollectionTables, "series", Row> {
  return rows.limit(limit).offset(offset);
}

/** Of a chosen cover that is not there at present: null. */
function coverIssueOf({ chosen_cover_id }: SeriesTable, issues: readonly IssueTable[]): number | null {
  const issue = issues.find(({ id }) => id === chosen_cover_id);
  return issue ? publicIssueId(issue) : null;
}

/** `[1,2,3]` */
const allIds = perEngine<string>({
  reason: "one text crosses to the calling thread in a fraction of the time of 150,000 rows",
  sqlite: sql<string>`json_group_array(chosen.id)`,
  postgres: sql<string>`coalesce(json_agg(chosen.id), '[]')::text`,
});

const followedBy = (viewer: Viewer) =>
  sql<number>`exists (select 1 from follow where follow.series_id = series.id and follow.user_id = ${viewer.user.id})`.as(
    "followed",
  );
