import { contract } from "@longbox/sdk";

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
}

/** The files of issues as they lie on the disk, whatever is in them. */
export interface FilesContent {
  /** The issue's best file, when it is there: a regular file, to be sent as it is. */
  findFile(issueId: number): Promise<WholeFile | undefined>;
  /**
   * The best files of many issues, to be listed: as the last scan saw them, without a look at the disk. Issues of which
   * nothing is owned are left out.
   */
  findFiles(issueIds: readonly number[]): Promise<ReadonlyMap<number, WholeFile>>;
}

export const FilesContent = contract<FilesContent>("files.content", "1.0.0");
