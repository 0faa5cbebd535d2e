import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { PagesContract } from "@longbox/files/contract";
import type { IssueProgress, ReadingProgressContract } from "@longbox/reader/contract";
import type { Viewer } from "@longbox/sdk";
import type { Publication } from "./catalog-feed.js";
import { contributorsOf } from "./contributors.js";
import { plainText } from "./plain-text.js";

export type KnownProgress = ReadonlyMap<number, IssueProgress>;

/** Makes publications of issues: what is owned, with its file and the viewer's progress. */
export class Publications {
  readonly #library: CollectionContract;
  readonly #pages: PagesContract;
  readonly #progress: ReadingProgressContract;

  constructor(sources: { library: CollectionContract; pages: PagesContract; progress: ReadingProgressContract }) {
    this.#library = sources.library;
    this.#pages = sources.pages;
    this.#progress = sources.progress;
  }

  /** In the order given; issues without a file are left out. */
  async of(issues: readonly Issue[], viewer: Viewer, known?: KnownProgress): Promise<Publication[]> {
    const ids = issues.map((issue) => issue.id);
    const [progressOf, details, files] = await Promise.all([known ?? this.findProgress(issues, viewer), this.#library.findIssueDetails(ids), this.#pages.findFiles(ids)]);
    const detailOf = new Map(details.map((detail) => [detail.issueId, detail]));
    return issues.flatMap((issue): Publication[] => {
      const [file, detail] = [files.get(issue.id), detailOf.get(issue.id)];
      if (!file) return [];
      return [{
        name: `issue:${issue.id}`, issue, file, contributors: contributorsOf(detail?.credits ?? []), arcs: (detail?.arcs ?? []).filter((arc) => arc !== ""),
        description: plainText(detail?.description ?? "") || undefined, pages: issue.pages, progress: progressOf.get(issue.id),
      }];
    });
  }

  /** How far the viewer is in those of the issues that were begun, by their ids. */
  async findProgress(issues: readonly Issue[], viewer: Viewer): Promise<KnownProgress> {
    const known = await this.#progress.findProgress(viewer.user.id, issues.map((issue) => issue.id));
    return new Map(known.map((progress) => [progress.issueId, progress]));
  }
}

/** Owned issues of a series, in reading order. */
export async function ownedIssues(library: CollectionContract, seriesId: number, viewer: Viewer): Promise<Issue[]> {
  return (await library.listIssues(seriesId, viewer)).filter((issue) => issue.owned);
}
