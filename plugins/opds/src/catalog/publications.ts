import type { CollectionContract, CoversContract, Issue } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { asSent } from "../folder-archive.js";
import type { StreamedPages } from "../streamed-pages.js";
import { typeWords } from "../type-words.js";
import type { Publication } from "./catalog-feed.js";
import { contributorsOf } from "./contributors.js";
import { plainText } from "./plain-text.js";

export type KnownProgress = ReadonlyMap<number, ReadingState>;

interface Sources {
  readonly library: CollectionContract;
  readonly covers: CoversContract;
  readonly files: FilesContent;
  readonly reading: ReadingContract;
  readonly streamed: StreamedPages;
}

/** Builds publications from owned issues, with their file and the viewer's progress. */
export class Publications {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** In the order given; issues without a file are left out. */
  async of(issues: readonly Issue[], viewer: Viewer, known?: KnownProgress): Promise<Publication[]> {
    const { library, files, streamed } = this.#sources;
    const ids = issues.map((issue) => issue.id);
    const [progressOf, details, fileOf, wordsOf, pagesOf] = await Promise.all([
      known ?? this.findProgress(issues, viewer),
      library.findIssueDetails(ids),
      files.findFiles(ids),
      typeWords(library),
      streamed.counter(),
    ]);
    const detailOf = new Map(details.map((detail) => [detail.issueId, detail]));
    const owned = issues.flatMap((issue) => {
      const file = fileOf.get(issue.id);
      const words = wordsOf(issue.type);
      return file ? [{ issue, file, words, pages: pagesOf(issue, words, file) }] : [];
    });
    const withoutPages = owned.filter(({ pages }) => pages === 0).map(({ issue }) => issue);
    const covered = await this.#covered(withoutPages, viewer);
    return owned.map(({ issue, file, words, pages }): Publication => {
      const detail = detailOf.get(issue.id);
      return {
        name: `issue:${issue.id}`,
        issue,
        file: asSent(file, words),
        words,
        pages,
        hasCover: pages > 0 || covered.has(issue.id),
        contributors: contributorsOf(detail?.credits ?? []),
        arcs: (detail?.arcs ?? []).filter((arc) => arc !== ""),
        description: plainText(detail?.description ?? "") || undefined,
        progress: progressOf.get(issue.id),
      };
    });
  }

  /** The viewer's progress in the issues that were started, by id. */
  async findProgress(issues: readonly Issue[], viewer: Viewer): Promise<KnownProgress> {
    const known = await this.#sources.reading.find(
      viewer,
      issues.map((issue) => issue.id),
    );
    return new Map(known.map((state) => [state.issueId, state]));
  }

  /** The ids of those that have a cover. */
  async #covered(issues: readonly Issue[], viewer: Viewer): Promise<ReadonlySet<number>> {
    if (issues.length === 0) return new Set();
    const covered = await this.#sources.covers.findCovered(
      issues.map(({ id }) => ({ issueId: id })),
      viewer,
    );
    return new Set(issues.filter((_, index) => covered[index]).map(({ id }) => id));
  }
}

/** Owned issues of a series, in reading order. */
export async function ownedIssues(library: CollectionContract, seriesId: number, viewer: Viewer): Promise<Issue[]> {
  return (await library.listIssues(seriesId, viewer)).filter((issue) => issue.owned);
}
