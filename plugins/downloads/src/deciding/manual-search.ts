import type { Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { SearchRequest, SearchResult } from "../contract.js";
import { IssueNotFound, SeriesNotFound } from "../errors.js";
import type { ResultRecords } from "../keeping/result-records.js";
import type { Found, Searching } from "./searching.js";
import type { SearchTarget } from "./search-target.js";

export interface ManualSearchParts {
  readonly library: CollectionContract;
  readonly searching: Searching;
  readonly results: ResultRecords;
}

const dayMs = 86_400_000;

/** Searches for a person, and shows what was rejected too. */
export class ManualSearch {
  constructor(private readonly parts: ManualSearchParts) {}

  async search(request: SearchRequest, viewer: Viewer, signal: AbortSignal): Promise<SearchResult[]> {
    const target = await this.#target(request, viewer);
    const { found } = await this.parts.searching.search(target, {
      signal,
      urgency: "person",
      replaces: target.issue?.owned ?? false,
      kinds: request.kinds,
    });
    const ids = await this.parts.results.keep(found, {
      userId: viewer.user.id,
      seriesId: target.series.id,
      issueId: target.issue?.id,
    });
    const wanted = found.some(({ pack }) => pack) ? await this.#wantedOf(target, viewer) : new Set<number>();
    return found.map((one, at) => resultOf(ids[at]!, one, wanted));
  }

  async #target({ seriesId, cvIssueId, query, packs }: SearchRequest, viewer: Viewer): Promise<SearchTarget> {
    const { library } = this.parts;
    const series = await library.findSeries(seriesId, viewer);
    if (!series) throw new SeriesNotFound(seriesId);
    const issue = cvIssueId === undefined ? undefined : await library.findIssue(cvIssueId, viewer);
    if (cvIssueId !== undefined && issue?.seriesId !== seriesId) throw new IssueNotFound(cvIssueId);
    const issues = await library.listIssues(seriesId, viewer);
    const typed = query?.trim();
    return { series, issue, issues, typed: typed === "" ? undefined : typed, packs: packs ?? false };
  }

  /** Which issues of the series are wanted. */
  async #wantedOf({ series, issues }: SearchTarget, viewer: Viewer): Promise<ReadonlySet<number>> {
    const ids = issues.map(({ id }) => id).toSorted((one, other) => one - other);
    const found = new Set<number>();
    let afterId = (ids[0] ?? 0) - 1;
    const last = ids.at(-1) ?? 0;
    while (afterId < last) {
      const part = await this.parts.library.listWanted({ afterId, limit: 1000 }, viewer);
      for (const { issue } of part) if (issue.seriesId === series.id) found.add(issue.id);
      if (part.length < 1000) break;
      afterId = part.at(-1)!.issue.id;
    }
    return found;
  }
}

function resultOf(id: string, found: Found, wanted: ReadonlySet<number>): SearchResult {
  const { release, place, score, pack, accepted, reasons, holds } = found;
  return {
    id,
    source: place.source.name,
    title: release.title,
    size: release.sizeBytes,
    score,
    seeders: release.seeders,
    age:
      release.publishedAt === undefined
        ? undefined
        : Math.max(0, Math.floor((Date.now() - Date.parse(release.publishedAt)) / dayMs)),
    pack,
    accepted,
    reasons: [...reasons],
    issues: holds.map((issue) => ({
      number: issue.number,
      label: issue.label.short,
      cvIssueId: issue.cvIssueId,
      wanted: wanted.has(issue.id),
      owned: issue.owned,
    })),
  };
}
