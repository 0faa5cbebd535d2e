import type { Inspected } from "./file-inspector.js";

/** An inspected file, with its size and times on disk. */
export interface InspectedPath extends Inspected {
  readonly path: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970; of a folder that is one work, when one of its files was changed last. */
  readonly modifiedMs: number;
  /** The same for the companions beside it; 0 without any. */
  readonly tagsMs: number;
}
