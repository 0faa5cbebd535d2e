import type { Inspected } from "./file-inspector.js";

/** A file that was looked into, and how large it is. */
export interface InspectedPath extends Inspected {
  readonly path: string;
  readonly sizeBytes: number;
}
