import type { FileHandle } from "node:fs/promises";
import { contract, extensionPoint, type Content, type Viewer } from "@longbox/sdk";
import type { Fingerprint, FingerprintMatch, IssueFingerprint } from "./fingerprints.js";

/** The file that holds an issue. */
export interface WholeFile {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Its format's content type, else what its name promises. */
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

/** A file or a folder of a library, open: what is read through `handle` is what was checked. Must be closed. */
export interface OpenedFile {
  readonly kind: "file" | "folder";
  /** Its real path, with every link resolved, for programs that open files by themselves. */
  readonly path: string;
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Changes whenever the file does. */
  readonly validator: string;
  close(): Promise<void>;
}

/** A file to be sent. */
export interface SendableFile {
  readonly content: Content;
  readonly validator: string;
  readonly lastModified: Date;
}

/**
 * The files of issues as they are on disk, of any format. Methods without a viewer hide nothing: before you call one
 * for a user, ask `collection.findIssues(ids, viewer)`, which leaves out the issues that are hidden from that user.
 */
export interface FilesContent {
  /**
   * Opens a file or a folder of a library, also one beside an issue's file or in an issue's folder. This is the way to
   * read any of them: a scan may be long ago, and a link may have been put in the place of a file since. It does not
   * ask who reads: take the path from an issue that the viewer may see.
   * @param path - absolute, as records and holdings have it
   * @returns undefined when nothing is there, when it is neither a regular file nor a folder, when it lies in no
   * library, and when a link leads out of the library
   */
  open(path: string): Promise<OpenedFile | undefined>;
  /**
   * The bytes of a file of a library as an answer, opened again by {@link open} whenever some of them are sent; of a
   * file that lies elsewhere, those that its {@link FileHolder} gets. It does not ask who reads, like {@link open}.
   * @returns undefined for what `open` does not open, and for folders
   */
  send(file: { readonly path: string; readonly contentType: string }): Promise<SendableFile | undefined>;
  /**
   * The issue's best file, when it is there or a {@link FileHolder} gets it: a regular file. Its bytes are read with
   * {@link open} or {@link send}. Also of a hidden issue: the caller has checked that the viewer may see it.
   */
  findFile(issueId: number): Promise<WholeFile | undefined>;
  /**
   * The files of an issue that is a folder, by name, when it is there. Also of a hidden issue, like {@link findFile}.
   */
  findParts(issueId: number): Promise<readonly WorkPart[] | undefined>;
  /**
   * The best files of many issues, to be listed: as the last scan saw them, without a look at the disk. Issues of which
   * nothing is owned are left out; hidden ones are not, like in {@link findFile}.
   */
  findFiles(issueIds: readonly number[]): Promise<ReadonlyMap<number, WholeFile>>;
  /**
   * The issues whose files have or had a fingerprint; those of present files first, then the newest. Empty for a value
   * that is no fingerprint. Issues that are gone, or hidden from the viewer, are left out. At most 100: short names
   * such as `001.cbz` are the names of many files.
   */
  findByFingerprint(fingerprint: Fingerprint, viewer: Viewer): Promise<readonly FingerprintMatch[]>;
  /** The fingerprints of issues' files, present ones first, also of hidden issues. Issues without any are left out. */
  findFingerprints(issueIds: readonly number[]): Promise<ReadonlyMap<number, readonly IssueFingerprint[]>>;
}

export const FilesContent = contract<FilesContent>("files.content", "1.0.0");

/** Gets files of issues that lie in no library's folder, such as those on another server. */
export interface FileHolder {
  /** How the paths of its holdings begin; never with a slash: `remote:`. */
  readonly prefix: string;
  /**
   * @returns undefined for a file that it does not hold any more
   * @throws {LongboxError} the answer to the client, when the file could not be had
   */
  send(file: { readonly path: string; readonly contentType: string }): Promise<SendableFile | undefined>;
}

export const FileHolders = extensionPoint<FileHolder>("fileHolders", "1.0.0");
