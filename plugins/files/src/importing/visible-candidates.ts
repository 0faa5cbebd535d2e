import type { Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Candidate } from "./candidate.js";
import type { Candidates } from "./candidates.js";

/** The candidates as a viewer may see them: matches with hidden series are left out. */
export class VisibleCandidates {
  constructor(
    private readonly candidates: Pick<Candidates, "get" | "list">,
    private readonly collection: Pick<CollectionContract, "findSeries">,
  ) {}

  async list(viewer: Viewer): Promise<Candidate[]> {
    return this.#show(await this.candidates.list(), viewer);
  }

  /** @throws {NotFound} `files/no-such-candidate` */
  async get(id: number, viewer: Viewer): Promise<Candidate> {
    return (await this.#show([await this.candidates.get(id)], viewer))[0]!;
  }

  async #show(all: Candidate[], viewer: Viewer): Promise<Candidate[]> {
    if (viewer.seesRestricted) return all;
    const visible = new Set<number>();
    for (const seriesId of new Set(all.flatMap(({ match }) => match?.seriesId ?? [])))
      if (await this.collection.findSeries(seriesId, viewer)) visible.add(seriesId);
    const isOpen = ({ match }: Candidate) => typeof match?.seriesId !== "number" || visible.has(match.seriesId);
    return all.map((candidate) => (isOpen(candidate) ? candidate : withoutMatch(candidate)));
  }
}

/** Treated as if the series did not exist: a user chooses one before the files are imported. */
function withoutMatch({ match: _, ...candidate }: Candidate): Candidate {
  const status = candidate.status === "ready" ? "review" : candidate.status;
  return { ...candidate, status, confidence: "none", reasons: ["Nothing of this name is known."] };
}
