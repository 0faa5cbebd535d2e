import type { CollectionContract } from "@longbox/collection/contract";
import type { JobControl } from "@longbox/operations/contract";
import { Conflict, joinSignals, systemViewer } from "@longbox/sdk";
import { libraryTypes } from "../works.js";
import type { Matching } from "./matching.js";
import type { BookEvidence, CatalogBook } from "./book-evidence.js";

/** What a run did, in books. */
export interface SyncTally {
  matched: number;
  /** Not certain: a person decides. */
  review: number;
  unknown: number;
}

interface SyncParts {
  readonly library: CollectionContract;
  readonly matching: Matching;
  readonly signal: AbortSignal;
}

const readAtOnce = 500;
/** Their ISBNs are one question. */
const matchedAtOnce = 20;

/**
 * Looks up all books that were not looked up yet. What was done is stored with each, so that a run that was cut off
 * does the rest.
 */
export class Sync {
  #isRunning = false;

  constructor(private readonly parts: SyncParts) {}

  /** @param issueIds - Only these. @throws {Conflict} while another run is on @throws what Open Library failed with */
  async run(
    control: Pick<JobControl, "signal" | "progress" | "checkpoint">,
    issueIds?: readonly number[],
  ): Promise<SyncTally> {
    if (this.#isRunning) throw new Conflict("open-library/sync-running", "Books are being looked up already.");
    this.#isRunning = true;
    const { signal, release } = joinSignals(control.signal, this.parts.signal);
    const tally: SyncTally = { matched: 0, review: 0, unknown: 0 };
    try {
      let begun = 0;
      const beginning = ({ title }: BookEvidence) => control.progress(begun++, 0, `Looking for ${title}`);
      // A job that gets further is resumed however often it was cut off.
      const settled = () => control.checkpoint({ begun });
      for await (const books of this.#books(issueIds)) {
        const due = await this.parts.matching.due(books.filter(({ issue }) => issue.owned));
        for (let start = 0; start < due.length; start += matchedAtOnce) {
          const options = { urgency: "background", viewer: systemViewer, signal, beginning, settled } as const;
          for (const { state } of await this.parts.matching.match(due.slice(start, start + matchedAtOnce), options))
            if (state !== "dismissed") tally[state] += 1;
        }
      }
      return tally;
    } finally {
      this.#isRunning = false;
      release();
    }
  }

  async *#books(issueIds: readonly number[] | undefined): AsyncGenerator<readonly CatalogBook[]> {
    const { library } = this.parts;
    if (issueIds) return yield await readBooks(library, issueIds);
    for (const type of libraryTypes) {
      for (let afterId = 0; ;) {
        const part = await library.listIssuesAfter({ afterId, limit: readAtOnce, type }, systemViewer);
        if (part.length > 0) yield part;
        if (part.length < readAtOnce) break;
        afterId = part.at(-1)!.issue.id;
      }
    }
  }
}

/** Those of these issues that are books, with what is known of them. */
export async function readBooks(
  library: CollectionContract,
  issueIds: readonly number[],
  viewer = systemViewer,
): Promise<CatalogBook[]> {
  const types: readonly string[] = libraryTypes;
  const issues = (await library.findIssues(issueIds, viewer)).filter(({ type }) => types.includes(type));
  const ids = issues.map(({ id }) => id);
  const [details, external] = await Promise.all([library.findIssueDetails(ids), library.findIds(ids)]);
  const byId = new Map(details.map((detail) => [detail.issueId, detail]));
  return issues.flatMap((issue) => {
    const detail = byId.get(issue.id);
    return detail ? [{ issue, detail, ids: external.get(issue.id) ?? {} }] : [];
  });
}
