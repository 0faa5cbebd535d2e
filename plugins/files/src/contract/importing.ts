import { contract, type Viewer } from "@longbox/sdk";

/** A file from anywhere on the server that is to come into a library. */
export interface PlaceRequest {
  /** The absolute path of a file, or of a folder that is one work. Links are refused. */
  readonly path: string;
  /** 1 to 200 characters. Calls with one key place once, also across restarts; the answer is that of the first. */
  readonly key: string;
  /** The issue that it holds. Without it the file must say so by itself beyond doubt. */
  readonly issueId?: number | undefined;
  /**
   * What becomes of the original. `move` takes it away; `copy` leaves it; `link` leaves it, and makes the file in the
   * library another name of it, or a copy where the disk allows no such link.
   */
  readonly mode: "move" | "copy" | "link";
  /**
   * Whether files that the issue has already go to the trash: `always`, or only where they are `worse` (unreadable,
   * shorter, or as long and untagged). By default a file of an issue that is owned is refused.
   */
  readonly replaces?: "worse" | "always" | undefined;
  /**
   * Refuses a file whose own tags say that it is another issue than `issueId`: for files that others described. Without
   * it the caller's word counts, as when a person decides.
   */
  readonly agrees?: boolean | undefined;
}

/** A file in its place. */
export interface ImportedFile {
  /** Where it lies now. */
  readonly path: string;
  readonly libraryId: number;
  readonly seriesId: number;
  readonly issueId: number;
  /** The batch of moves that `POST /api/library/moves/{id}/undo` takes back, with the replaced files. */
  readonly batchId: number;
  /** Where the replaced files lie now, in the library's trash. */
  readonly replaced: readonly string[];
}

/** Brings files of other plugins into libraries. Everything takes the viewer on whose behalf it is done. */
export interface FilesImporting {
  /**
   * Looks into a file, copies it to the library's disk if need be, compares the copy, and puts it under the name that
   * the library's patterns make. A stop at any instant leaves the original or the placed file, never half of one; the
   * same call with the same key goes on.
   * @throws {LongboxError} `forbidden` without `library.manage`
   * @throws {BadInput} `files/bad-path`, `files/not-readable`, `files/wrong-format`, `files/no-library`,
   *   `files/no-name`
   * @throws {NotFound} `files/issue-not-found`, also when the viewer may not know of it
   * @throws {Conflict} `files/uncertain` without an issue, `files/owned-already`, `files/not-better`,
   *   `files/other-issue`, `files/place-taken`, `files/changed-meanwhile`, `files/key-used`, `files/not-placed`
   */
  place(request: PlaceRequest, viewer: Viewer): Promise<ImportedFile>;
  /**
   * Shows files in the review of imports, where a person decides what they are.
   * @param reason - why they could not be placed, in a sentence of up to 500 characters
   * @returns the ids of the candidates, one for each series that the files seem to be of
   * @throws {LongboxError} `forbidden` without `library.manage`
   * @throws {BadInput} `files/bad-path`
   */
  review(
    paths: readonly string[],
    reason: string,
    viewer: Viewer,
  ): Promise<{ readonly candidateIds: readonly number[] }>;
}

export const FilesImporting = contract<FilesImporting>("files.importing", "1.0.0");
