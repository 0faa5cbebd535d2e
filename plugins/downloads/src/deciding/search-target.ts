import type { Issue, Series } from "@longbox/collection/contract";
import type { ReleaseQuery } from "../contract.js";

/** What is looked for. */
export interface SearchTarget {
  readonly series: Series;
  /** Undefined for packs, and where a person looks through a series. */
  readonly issue: Issue | undefined;
  /** Every issue of the series; packs are compared with them. */
  readonly issues: readonly Issue[];
  /** What a person typed in place of the series' title. */
  readonly typed: string | undefined;
  readonly packs: boolean;
}

const mostResults = 200;

export function queryOf({ series, issue, typed, packs }: SearchTarget): ReleaseQuery {
  return {
    series: typed ?? series.title,
    aliases: typed === undefined ? series.aliases : [],
    year: series.year,
    publisher: series.publisher,
    libraryType: series.type,
    issue: issue && { number: issue.number, title: issue.title },
    packs,
    typed: typed !== undefined,
    limit: mostResults,
  };
}
