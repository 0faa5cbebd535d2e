import { contract, type Content } from "@longbox/sdk";

export interface PageDescription {
  /** The entry's name inside the archive. */
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** The pages of one issue, in reading order. */
export interface PageList {
  /** Changes whenever the file does. */
  readonly validator: string;
  readonly pages: readonly PageDescription[];
  /** The tags say that pages run from right to left. */
  readonly rightToLeft: boolean;
}

/** The file that holds an issue. */
export interface WholeFile {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** The pages of issues, whatever archive holds them. */
export interface PagesContract {
  /** The page list of the issue's best file; undefined when nothing readable is owned. Opened archives are kept for a while. */
  findPages(issueId: number): Promise<PageList | undefined>;
  /**
   * Tells of the issue's best file without opening it: the validator that its page list has, and how many pages the
   * last scan counted. Undefined when nothing readable is owned.
   */
  findVersion(issueId: number): Promise<{ readonly validator: string; readonly pages: number } | undefined>;
  /**
   * One page, counted from 0. A stored page comes as a slice of the file, so that its bytes can go to the client as
   * they are; `validator` is that of the list it belongs to. Who has just asked for the version gives its validator as
   * `known`, so that the file is not looked at again.
   * @throws {NotFound} `files/no-pages` or `files/no-such-page`
   * @throws {LongboxError} `files/unreadable` when the archive is damaged at that page
   */
  readPage(issueId: number, page: number, known?: string): Promise<{ readonly content: Content; readonly validator: string }>;
  /** The page's bytes, for those who must look at them. */
  readPageBytes(issueId: number, page: number): Promise<{ readonly bytes: Uint8Array; readonly contentType: string; readonly validator: string }>;
  /** The whole file, to be downloaded. */
  findFile(issueId: number): Promise<WholeFile | undefined>;
  /**
   * The whole files of many issues, to be listed: as the last scan saw them, without a look at the disk. Issues of which
   * nothing is owned are left out.
   */
  findFiles(issueIds: readonly number[]): Promise<ReadonlyMap<number, WholeFile>>;
}

export const Pages = contract<PagesContract>("files.pages", "1.0.0");
