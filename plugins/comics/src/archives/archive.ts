import type { Content } from "@longbox/sdk";

/** The kinds that are read without a reader of another plugin. The first bytes tell the kind, never the extension. */
export type OwnKind = "zip" | "epub" | "tar" | "pdf" | "folder";

/** An entry that is a page. */
export interface PageEntry {
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** An open archive, whatever its format. Pages are counted from 0, in reading order. */
export interface Archive {
  /** One of {@link OwnKind}, or the id of a reader. */
  readonly kind: string;
  readonly pages: readonly PageEntry[];
  /** A page for the network: as a part of the file where it is stored as it is. @throws {UnreadableArchive} */
  readPage(page: number): Promise<Content>;
  /** A page's bytes. @throws {UnreadableArchive} */
  readPageBytes(page: number): Promise<{ readonly bytes: Uint8Array; readonly contentType: string }>;
  /**
   * Fills `target` with the file's bytes from `position` on, where pages are parts of the file.
   * @throws {UnreadableArchive} `truncated`
   */
  readInto?(target: Uint8Array, position: number): Promise<void>;
  /** The text of ComicInfo.xml inside the archive. */
  readTags(): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

/** A page of a comic is never larger; what claims to be is not read. */
export const largestPageBytes = 256 * 1024 * 1024;
/** A page that must be looked at as a whole, to be shown in another size, is never larger. */
export const largestPictureBytes = 64 * 1024 * 1024;
/** Tags are never larger. */
export const largestTagsBytes = 4 * 1024 * 1024;
