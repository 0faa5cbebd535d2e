import { contract, type Viewer } from "@longbox/sdk";
import type { Fingerprint, FingerprintMatch, IssueFingerprint } from "./fingerprints.js";

/** The file that holds an issue. */
export interface WholeFile {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly sizeBytes: number;
  /** That of its format, else what its name promises. */
  readonly contentType: string;
  /** The id of its format; undefined for what was read before formats were told. */
  readonly format: string | undefined;
  /** The work is a folder: its files are found with `findParts`. */
  readonly isFolder: boolean;
}

/** One file of a work that is a folder. */
export interface WorkPart {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** The files of issues as they lie on the disk, whatever is in them. */
export interface FilesContent {
  /** The issue's best file, when it is there: a regular file, to be sent as it is. */
  findFile(issueId: number): Promise<WholeFile | undefined>;
  /** The files of an issue that is a folder, by name, when it is there. */
  findParts(issueId: number): Promise<readonly WorkPart[] | undefined>;
  /**
   * The best files of many issues, to be listed: as the last scan saw them, without a look at the disk. Issues of which
   * nothing is owned are left out.
   */
  findFiles(issueIds: readonly number[]): Promise<ReadonlyMap<number, WholeFile>>;
  /**
   * The issues whose files have or had a fingerprint; those of present files first, then the newest. Empty for a value
   * that is no fingerprint. Issues that are gone, or hidden from the viewer, are left out. At most 100: short names
   * such as `001.cbz` are the names of many files.
   */
  findByFingerprint(fingerprint: Fingerprint, viewer: Viewer): Promise<readonly FingerprintMatch[]>;
  /** The fingerprints of issues' files, present ones first. Issues without any are left out. */
  findFingerprints(issueIds: readonly number[]): Promise<ReadonlyMap<number, readonly IssueFingerprint[]>>;
}

export const FilesContent = contract<FilesContent>("files.content", "1.0.0");
