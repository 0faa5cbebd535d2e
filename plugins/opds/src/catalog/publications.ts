import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { PagesContract } from "@longbox/files/contract";
import type { ReadingProgressContract } from "@longbox/reader/contract";
import type { Viewer } from "@longbox/sdk";
import type { Publication } from "./catalog-feed.js";
import { contributorsOf } from "./contributors.js";
import { plainText } from "./plain-text.js";

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
  async of(issues: readonly Issue[], viewer: Viewer): Promise<Publication[]> {
    const ids = issues.map((issue) => issue.id);
    const [known, details, files] = await Promise.all([this.#progress.findProgress(viewer.user.id, ids), this.#library.findIssueDetails(ids), this.#pages.findFiles(ids)]);
    const progressOf = new Map(known.map((progress) => [progress.issueId, progress]));
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

  async #readIds(viewer: Viewer, issues: readonly Issue[]): Promise<ReadonlySet<number>> {
    const known = await this.#progress.findProgress(viewer.user.id, issues.map((issue) => issue.id));
    return new Set(known.filter((progress) => progress.completed).map((progress) => progress.issueId));
  }

  /** Parts issues into those that the viewer has read and the others. */
  async partByRead(issues: readonly Issue[], viewer: Viewer): Promise<{ read: Issue[]; unread: Issue[] }> {
    const ids = await this.#readIds(viewer, issues);
    return { read: issues.filter((issue) => ids.has(issue.id)), unread: issues.filter((issue) => !ids.has(issue.id)) };
  }
}

/** Owned issues of a series, in reading order. */
export async function ownedIssues(library: CollectionContract, seriesId: number, viewer: Viewer): Promise<Issue[]> {
  return (await library.listIssues(seriesId, viewer)).filter((issue) => issue.owned);
}
