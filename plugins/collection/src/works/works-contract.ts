import type { Releasable, Viewer } from "@longbox/sdk";
import { contract } from "@longbox/sdk/light";

/** Issues that are the same work in different forms, such as an e-book and an audiobook. */
export interface Work {
  readonly id: number;
  /** Internal ids, in the order in which they were linked. */
  readonly issueIds: readonly number[];
}

/** Links the e-book and the audiobook of one work, so that a reader can go from one to the other. */
export interface WorksContract {
  /** The other forms of an issue that the viewer may know of. */
  findOthers(issueId: number, viewer: Viewer): Promise<readonly number[]>;
  /**
   * Makes issues forms of one work; works that they belonged to become one. Needs `library.manage`.
   * @throws {NotFound} `collection/issue-not-found`
   */
  link(issueIds: readonly number[], viewer: Viewer): Promise<Work>;
  /** Takes an issue out of its work, and never proposes it for that work again. Needs `library.manage`. */
  unlink(issueId: number, viewer: Viewer): Promise<void>;
  /**
   * Issues of other types that are likely the same work: they share an id, or title and author. The likeliest first.
   */
  propose(
    issueId: number,
    viewer: Viewer,
  ): Promise<ReadonlyArray<{ readonly issueId: number; readonly reason: string }>>;
  onWorksChanged(listener: (issueIds: readonly number[]) => void): Releasable;
}

export const Works = contract<WorksContract>("collection.works", "1.0.0");
