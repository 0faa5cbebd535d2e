import type { Issue } from "@longbox/collection/contract";
import type { BookDetails } from "../details.js";

/** One file of a book. */
export interface BookFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** The id of its format. */
  readonly format: string;
  readonly contentType: string;
  readonly details: BookDetails;
}

/** A book with its files, the one that is read best first. There is at least one. */
export interface Book {
  readonly issue: Issue;
  readonly files: readonly [BookFile, ...BookFile[]];
}
