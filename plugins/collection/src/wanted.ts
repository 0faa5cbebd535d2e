import { sql, type SqlBool } from "kysely";
import type { Contributions, Viewer } from "@longbox/sdk";
import type { IssueGetter } from "./contract.js";
import { issueCover, publicIssueId, whyWanted } from "./issue-shape.js";
import { parseIssueNumber } from "./issue-number.js";
import { readSearch, type SearchIndex } from "./search-index.js";
import type { WantedRow } from "./shapes.js";
import type { CollectionDatabase } from "./tables.js";

export interface WantedQuery {
  /** `gaps`: every missing issue, whether or not anybody wants it. */
  readonly scope: "wanted" | "gaps";
  readonly sort: "series" | "newest" | "oldest" | "most" | "fewest";
  readonly followed?: boolean | undefined;
  readonly hideUnreleased?: boolean | undefined;
  readonly q?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Issues that nobody has. */
export class Wanted {
  readonly #reader: CollectionDatabase;
  readonly #index: SearchIndex;
  readonly #getters: Contributions<IssueGetter>;

  constructor(reader: CollectionDatabase, index: SearchIndex, getters: Contributions<IssueGetter>) {
    this.#reader = reader;
    this.#index = index;
    this.#getters = getters;
  }

  async list(query: WantedQuery, viewer: Viewer): Promise<{ rows: WantedRow[]; total: number }> {
    const chosen = this.#choose(query, viewer);
    const { total } = await chosen.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const released = sql`coalesce(issue.store_date, issue.cover_date)`;
    const missing = query.scope === "gaps" ? sql`series.missing` : sql`series.wanted`;
    const shown = chosen.selectAll("issue").select(["series.title as series_title", followed(viewer).as("followed")]);
    const sorted = {
      series: () => shown,
      newest: () => shown.orderBy(sql`${released} desc nulls last`),
      oldest: () => shown.orderBy(sql`${released} asc nulls last`),
      most: () => shown.orderBy(sql`${missing} desc`),
      fewest: () => shown.orderBy(sql`${missing} asc`),
    }[query.sort]();
    const rows = await sorted.orderBy("series.title_key").orderBy("series.id").orderBy("issue.sort_key").orderBy("issue.id").limit(query.limit).offset(query.offset).execute();
    const states = await this.#states(rows.map((row) => row.id));
    return {
      total,
      rows: rows.map((row) => ({
        seriesId: row.series_id, series: row.series_title, cvIssueId: publicIssueId(row), id: row.id, number: row.number, title: row.title, coverDate: row.cover_date,
        storeDate: row.store_date, followed: row.followed === 1, wanted: row.wanted === 1, why: whyWanted(row), pick: row.pick === 1, reason: row.pick_reason,
        queueStatus: states.get(row.id) ?? null, cover: issueCover(row),
      })),
    };
  }

  #choose(query: WantedQuery, viewer: Viewer) {
    let chosen = this.#reader.selectFrom("issue").innerJoin("series", "series.id", "issue.series_id").where("series.state", "=", "tracked");
    chosen = query.scope === "gaps" ? chosen.where("series.missing", ">", 0).where("issue.present", "=", 1).where("issue.owned", "=", 0) : chosen.where("issue.wanted", "=", 1);
    if (!viewer.seesRestricted) chosen = chosen.where("series.hidden", "=", 0);
    if (query.followed) chosen = chosen.where(sql<SqlBool>`${followed(viewer)}`);
    if (query.hideUnreleased) chosen = chosen.where(sql<SqlBool>`coalesce(issue.store_date, issue.cover_date, '') <= ${new Date().toISOString().slice(0, 10)}`);
    const { words, numbers } = readSearch(query.q ?? "");
    if (words !== "") chosen = chosen.where((eb) => eb.or([this.#index.matches("series.id", words), eb(sql<string>`issue.title`, "like", `%${words.replace(/[%_\\]/g, " ")}%`)]));
    for (const number of numbers) chosen = chosen.where("issue.sort_key", "=", parseIssueNumber(number).sortKey);
    return chosen;
  }

  async #states(issueIds: readonly number[]): Promise<Map<number, string>> {
    const found = await Promise.all(this.#getters.all().map((getter) => getter.findStates(issueIds)));
    return new Map(found.flat().map(({ issueId, status }) => [issueId, status]));
  }
}

const followed = (viewer: Viewer) => sql<number>`exists (select 1 from follow where follow.series_id = series.id and follow.user_id = ${viewer.user.id})`;
