import { extensionPoint, type Viewer } from "@longbox/sdk";

/** A part of `GET /api/stats`. */
export interface StatsPart {
  /** The part's key in the answer, such as `files`. Several plugins may fill one key; their fields are joined. */
  readonly key: string;
  /**
   * The numbers. Answers are kept for a minute, one for those who see restricted things and one for the others: nothing
   * else of the viewer may decide what is in them.
   */
  read(viewer: Viewer): Promise<Record<string, unknown>>;
}

export const StatsParts = extensionPoint<StatsPart>("statsParts", "1.0.0");
