import type { SelectQueryBuilder } from "kysely";
import type { Viewer } from "@longbox/sdk";
import type { Holding, Issue, IssueDetail } from "../contract.js";
import { IssueNotFound } from "../errors.js";
import type { IssueRecord, IssueShapes } from "./issue-shape.js";
import type { ExternalIds } from "../ids/external-ids.js";
import { Remembered } from "../answers/remembered.js";
import { readSearch } from "../searching/search-index.js";
import type { IssueDocument } from "../answers/shapes.js";
import { slices, type CollectionDatabase, type CollectionTables, type FileTable } from "../tables.js";

/** Issues that are being read at one time, each by its pages. */
const mostRemembered = 500;
/** Series whose issues are being looked through. */
const mostSeriesRemembered = 20;
/** Pages of lists that are being looked through, and how long they are at most. */
const mostPagesRemembered = 40;
const longestPage = 100;

interface FileOfIssue {
  readonly issueId: number;
  readonly file: FileTable;
}

interface RecentlyAdded {
  readonly rows: readonly IssueRecord[];
  readonly total: number;
}

/** Reads issues and the files that hold them. */
export class IssueReading {
  readonly #database: CollectionDatabase;
  readonly #reader: CollectionDatabase;
  readonly #found: Remembered<IssueRecord | undefined>;
  readonly #files: Remembered<readonly FileTable[]>;
  readonly #series: Remembered<readonly Issue[]>;
  readonly #recent: Remembered<RecentlyAdded>;
  readonly #filesOfPages: Remembered<readonly FileOfIssue[]>;
  readonly #detailsOfPages: Remembered<readonly IssueDetail[]>;

  constructor(
    databases: { database: CollectionDatabase; reader: CollectionDatabase; dataVersion: () => number },
    readonly shapes: IssueShapes,
    readonly ids: ExternalIds,
  ) {
    this.#database = databases.database;
    this.#reader = databases.reader;
    this.#found = new Remembered(databases.dataVersion, mostRemembered);
    this.#files = new Remembered(databases.dataVersion, mostRemembered);
    this.#series = new Remembered(databases.dataVersion, mostSeriesRemembered);
    this.#recent = new Remembered(databases.dataVersion, mostPagesRemembered);
    this.#filesOfPages = new Remembered(databases.dataVersion, mostPagesRemembered);
    this.#detailsOfPages = new Remembered(databases.dataVersion, mostPagesRemembered);
  }

  /** The id of an issue by the id that clients use. Negative ids, and those of issues that became others, answer for ever. */
  async resolve(cvIssueId: number): Promise<number | undefined> {
    if (cvIssueId > 0) {
      const row = await this.#database
        .selectFrom("issue")
        .select("id")
        .where("cv_issue_id", "=", cvIssueId)
        .executeTakeFirst();
      return row?.id;
    }
    const merge = await this.#database
      .selectFrom("issue_merge")
      .select("to_id")
      .where("from_id", "=", -cvIssueId)
      .executeTakeFirst();
    return merge?.to_id ?? -cvIssueId;
  }

  find(cvIssueId: number, viewer: Viewer): Promise<IssueRecord | undefined> {
    return this.#found.get(`${cvIssueId} ${viewer.seesRestricted}`, async () => {
      const id = await this.resolve(cvIssueId);
      return id === undefined ? undefined : (await this.findAll([id], viewer))[0];
    });
  }

  /** By the ids that clients use, each with the id it was asked by. */
  async findByClientIds(
    cvIssueIds: readonly number[],
    viewer: Viewer,
  ): Promise<Array<{ cvIssueId: number; row: IssueRecord }>> {
    const wanted = [...new Set(cvIssueIds)];
    const found: Array<{ cvIssueId: number; row: IssueRecord }> = [];
    for (const ids of slices(wanted.filter((id) => id > 0))) {
      for (const row of await this.#visible(viewer).where("issue.cv_issue_id", "in", ids).execute())
        found.push({ cvIssueId: row.cv_issue_id as number, row });
    }
    const own = wanted.filter((id) => id < 0).map((id) => -id);
    const merges = new Map(
      (own.length === 0 ? [] : await this.#mergesOf(own)).map((merge) => [merge.from_id, merge.to_id]),
    );
    const rows = new Map(
      (own.length === 0
        ? []
        : await this.findAll(
            own.map((id) => merges.get(id) ?? id),
            viewer,
          )
      ).map((row) => [row.id, row]),
    );
    for (const id of own) {
      const row = rows.get(merges.get(id) ?? id);
      if (row) found.push({ cvIssueId: -id, row });
    }
    return found;
  }

  /** In the order asked for. */
  async findAll(issueIds: readonly number[], viewer: Viewer): Promise<IssueRecord[]> {
    const found = new Map<number, IssueRecord>();
    for (const ids of slices([...new Set(issueIds)])) {
      for (const row of await this.#visible(viewer).where("issue.id", "in", ids).execute()) found.set(row.id, row);
    }
    const lost = issueIds.filter((id) => !found.has(id));
    const merges = lost.length === 0 ? [] : await this.#mergesOf(lost);
    const targets =
      merges.length === 0
        ? []
        : await this.#visible(viewer)
            .where(
              "issue.id",
              "in",
              merges.map((merge) => merge.to_id),
            )
            .execute();
    for (const { from_id, to_id } of merges) {
      const target = targets.find((row) => row.id === to_id);
      if (target) found.set(from_id, target);
    }
    return [...new Set(issueIds.flatMap((id) => found.get(id) ?? []))];
  }

  /** The issues of a series as other plugins see them: catalogs ask for all of them with each of their pages. */
  issuesOfSeries(seriesId: number, viewer: Viewer): Promise<readonly Issue[]> {
    return this.#series.get(`${seriesId} ${viewer.seesRestricted}`, async () =>
      (await this.listOfSeries(seriesId, viewer)).map((row) => this.shapes.toIssue(row)),
    );
  }

  async listOfSeries(seriesId: number, viewer: Viewer): Promise<IssueRecord[]> {
    return await this.#visible(viewer)
      .where("issue.series_id", "=", seriesId)
      .orderBy("sort_key")
      .orderBy("issue.id")
      .execute();
  }

  /** Every issue of tracked series behind an id. On the reading thread. */
  async listAfter(
    { afterId, limit, type }: { afterId: number; limit: number; type?: string | undefined },
    viewer: Viewer,
  ): Promise<IssueRecord[]> {
    let known = this.#visible(viewer, { whole: true })
      .where("issue.id", ">", afterId)
      .where("series.state", "=", "tracked");
    if (type !== undefined) known = known.where("series.type", "=", type);
    return await known.orderBy("issue.id").limit(Math.min(limit, 1000)).execute();
  }

  /** What is wanted and not owned behind an id. On the reading thread. */
  async listWantedAfter(
    { afterId, limit, followed }: { afterId: number; limit: number; followed?: boolean | undefined },
    viewer: Viewer,
  ): Promise<IssueRecord[]> {
    let wanted = this.#visible(viewer, { whole: true })
      .where("issue.id", ">", afterId)
      .where("issue.wanted", "=", 1)
      .where("series.state", "=", "tracked");
    if (followed)
      wanted = wanted.where((eb) =>
        eb.exists(
          eb
            .selectFrom("follow")
            .select("follow.series_id")
            .whereRef("follow.series_id", "=", "issue.series_id")
            .where("follow.user_id", "=", viewer.user.id),
        ),
      );
    return await wanted.orderBy("issue.id").limit(Math.min(limit, 1000)).execute();
  }

  async neighbours(
    issueId: number,
    viewer: Viewer,
  ): Promise<{ previous: IssueRecord | undefined; next: IssueRecord | undefined }> {
    const [here] = await this.findAll([issueId], viewer);
    if (!here) return { previous: undefined, next: undefined };
    const others = this.#visible(viewer)
      .where("issue.series_id", "=", here.series_id)
      .where("issue.owned", "=", 1)
      .limit(1);
    const previous = others
      .where((eb) =>
        eb.or([
          eb("sort_key", "<", here.sort_key),
          eb.and([eb("sort_key", "=", here.sort_key), eb("issue.id", "<", here.id)]),
        ]),
      )
      .orderBy("sort_key", "desc")
      .orderBy("issue.id", "desc");
    const next = others
      .where((eb) =>
        eb.or([
          eb("sort_key", ">", here.sort_key),
          eb.and([eb("sort_key", "=", here.sort_key), eb("issue.id", ">", here.id)]),
        ]),
      )
      .orderBy("sort_key")
      .orderBy("issue.id");
    return { previous: await previous.executeTakeFirst(), next: await next.executeTakeFirst() };
  }

  listRecentlyAdded(range: { limit: number; offset: number }, viewer: Viewer): Promise<RecentlyAdded> {
    return this.#recent.get(`${range.limit} ${range.offset} ${viewer.seesRestricted}`, () =>
      this.#readRecentlyAdded(range, viewer),
    );
  }

  async #readRecentlyAdded(range: { limit: number; offset: number }, viewer: Viewer): Promise<RecentlyAdded> {
    const owned = this.#visible(viewer, { whole: true })
      .where("issue.owned", "=", 1)
      .where("series.state", "=", "tracked");
    const rows = await owned
      .orderBy("issue.owned_at", "desc")
      .orderBy("issue.id", "desc")
      .limit(range.limit)
      .offset(range.offset)
      .execute();
    let sum = this.#reader.selectFrom("series").where("state", "=", "tracked");
    if (!viewer.seesRestricted) sum = sum.where("hidden", "=", 0);
    const { total } = await sum.select((eb) => eb.fn.sum<number | null>("owned").as("total")).executeTakeFirstOrThrow();
    return { rows, total: total ?? 0 };
  }

  /** By words of their own titles. It looks at every owned issue, so on the reading thread. */
  async search(text: string, limit: number, viewer: Viewer): Promise<IssueRecord[]> {
    const { words } = readSearch(text);
    if (words === "") return [];
    let found = this.#visible(viewer, { whole: true })
      .where("issue.owned", "=", 1)
      .where("series.state", "=", "tracked");
    for (const word of words.split(" "))
      found = found.where((eb) =>
        eb.or([eb("issue.title", "like", `${word}%`), eb("issue.title", "like", `% ${word}%`)]),
      );
    return await found
      .orderBy("series.title_key")
      .orderBy("series.id")
      .orderBy("issue.sort_key")
      .orderBy("issue.id")
      .limit(limit)
      .execute();
  }

  /** The file to read first comes first: valid, assigned by hand, tagged, with the most pages. */
  filesOf(issueId: number): Promise<readonly FileTable[]> {
    return this.#files.get(
      String(issueId),
      async () =>
        await arranged(
          this.#database
            .selectFrom("file")
            .selectAll()
            .where("issue_id", "=", (await this.resolve(-issueId)) ?? issueId),
        ).execute(),
    );
  }

  /** The same for many; what became another issue is found under the id asked for. */
  filesOfIssues(issueIds: readonly number[]): Promise<readonly FileOfIssue[]> {
    const read = () => this.#readFilesOfIssues(issueIds);
    return issueIds.length > longestPage ? read() : this.#filesOfPages.get(issueIds.join(), read);
  }

  async #readFilesOfIssues(issueIds: readonly number[]): Promise<FileOfIssue[]> {
    const wanted = [...new Set(issueIds)];
    const filesOf = await this.#filesById(wanted);
    const merges = new Map(
      (await this.#mergesOf(wanted.filter((id) => !filesOf.has(id)))).map((merge) => [merge.from_id, merge.to_id]),
    );
    for (const [id, files] of await this.#filesById([...new Set(merges.values())])) filesOf.set(id, files);
    return wanted.flatMap((issueId) =>
      (filesOf.get(merges.get(issueId) ?? issueId) ?? []).map((file) => ({ issueId, file })),
    );
  }

  async #filesById(issueIds: readonly number[]): Promise<Map<number, FileTable[]>> {
    const files: FileTable[] = [];
    for (const ids of slices(issueIds))
      files.push(
        ...(await arranged(this.#database.selectFrom("file").selectAll().where("issue_id", "in", ids)).execute()),
      );
    return Map.groupBy(files, (file) => file.issue_id);
  }

  async filesOfSeries(seriesId: number): Promise<Map<number, FileTable[]>> {
    const files = await this.#database
      .selectFrom("file")
      .selectAll()
      .where("series_id", "=", seriesId)
      .orderBy("valid", "desc")
      .orderBy("assigned", "desc")
      .orderBy("path")
      .execute();
    return Map.groupBy(files, (file) => file.issue_id);
  }

  async read(cvIssueId: number, viewer: Viewer): Promise<IssueDocument> {
    const row = await this.find(cvIssueId, viewer);
    if (!row) throw new IssueNotFound(cvIssueId);
    const detail = await this.#database
      .selectFrom("issue_detail")
      .selectAll()
      .where("issue_id", "=", row.id)
      .executeTakeFirst();
    const ids = (await this.ids.list("issue", [row.id])).get(row.id) ?? {};
    const list = (json: string | undefined) => JSON.parse(json ?? "[]") as string[];
    return {
      ...this.shapes.toRow(row, await this.filesOf(row.id), viewer.may("library.manage")),
      seriesTitle: row.series_title,
      unit: this.shapes.unitOf(row.series_type),
      description: detail?.description ?? null,
      credits: JSON.parse(detail?.credits ?? "[]") as IssueDocument["credits"],
      characters: list(detail?.characters),
      teams: list(detail?.teams),
      locations: list(detail?.locations),
      arcs: list(detail?.arcs),
      subjects: list(detail?.subjects),
      language: row.language,
      ids: Object.fromEntries(Object.entries(ids).map(([scheme, values]) => [scheme, [...values]])),
      url: detail?.url ?? null,
    };
  }

  findDetails(issueIds: readonly number[]): Promise<readonly IssueDetail[]> {
    const read = () => this.#readDetails(issueIds);
    return issueIds.length > longestPage ? read() : this.#detailsOfPages.get(issueIds.join(), read);
  }

  async #readDetails(issueIds: readonly number[]): Promise<IssueDetail[]> {
    const found: IssueDetail[] = [];
    for (const ids of slices([...new Set(issueIds)])) {
      const rows = await this.#database
        .selectFrom("issue")
        .leftJoin("issue_detail", "issue_detail.issue_id", "issue.id")
        .where("issue.id", "in", ids)
        .select([
          "issue.id",
          "issue.store_date",
          "description",
          "credits",
          "characters",
          "teams",
          "locations",
          "arcs",
          "subjects",
          "issue_detail.url",
        ])
        .execute();
      found.push(
        ...rows.map((row): IssueDetail => ({
          issueId: row.id,
          storeDate: row.store_date ?? undefined,
          description: row.description ?? undefined,
          credits: JSON.parse(row.credits ?? "[]") as IssueDetail["credits"],
          characters: JSON.parse(row.characters ?? "[]") as string[],
          teams: JSON.parse(row.teams ?? "[]") as string[],
          locations: JSON.parse(row.locations ?? "[]") as string[],
          arcs: JSON.parse(row.arcs ?? "[]") as string[],
          subjects: JSON.parse(row.subjects ?? "[]") as string[],
          url: row.url ?? undefined,
        })),
      );
    }
    return found;
  }

  async #mergesOf(ids: readonly number[]) {
    const merges = [];
    for (const some of slices(ids))
      merges.push(
        ...(await this.#database.selectFrom("issue_merge").selectAll().where("from_id", "in", some).execute()),
      );
    return merges;
  }

  /** @param scope - `whole`: of all series, in the order of an index of issues, on the reading thread */
  #visible(
    viewer: Viewer,
    scope = { whole: false },
  ): SelectQueryBuilder<CollectionTables, "issue" | "series", IssueRecord> {
    const issues = (scope.whole ? this.#reader : this.#database).selectFrom("issue");
    const joined = scope.whole
      ? issues.crossJoin("series").whereRef("series.id", "=", "issue.series_id")
      : issues.innerJoin("series", "series.id", "issue.series_id");
    const all = joined
      .selectAll("issue")
      .select([
        "series.title as series_title",
        "series.publisher as series_publisher",
        "series.type as series_type",
        "series.hidden as series_hidden",
        "series.monitor as series_monitor",
      ])
      .where("issue.present", "=", 1);
    return viewer.seesRestricted ? all : all.where("series.hidden", "=", 0);
  }
}

function arranged(
  files: SelectQueryBuilder<CollectionTables, "file", FileTable>,
): SelectQueryBuilder<CollectionTables, "file", FileTable> {
  return files
    .orderBy("valid", "desc")
    .orderBy("assigned", "desc")
    .orderBy("tagged", "desc")
    .orderBy("pages", "desc")
    .orderBy("path");
}

export function toHolding(file: FileTable): Holding {
  return {
    path: file.path,
    name: file.name,
    sizeBytes: file.size,
    format: file.format ?? undefined,
    pages: file.pages,
    seconds: file.seconds ?? undefined,
    valid: file.valid === 1,
    tagged: file.tagged === 1,
    error: file.error ?? undefined,
    assigned: file.assigned === 1,
  };
}
