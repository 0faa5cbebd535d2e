import type { ReadFile } from "@longbox/collection/contract";

/** A library as the scanning thread sees it. */
export interface ScanRoot {
  readonly libraryId: number;
  readonly rootFolder: string;
  readonly type: string;
  /** What to look through: the root, or folders and files below it. */
  readonly scope: readonly string[];
  /** Reads every file again, also those that look unchanged. */
  readonly everything: boolean;
  /** A person said that the library has really become empty. */
  readonly acceptsEmpty: boolean;
}

/** A file as the last scan left it. `modifiedMs` and `tagsMs` (of the tags beside it, 0 without) are milliseconds since 1970. */
export interface KnownFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly tagsMs: number;
}

/** A file that was read, with what tells that it is the same one later. */
export interface ScannedFile {
  readonly file: ReadFile;
  readonly known: KnownFile;
  /** An earlier scan has seen a file at this path. */
  readonly isKnown: boolean;
  /** Identifies the contents whatever the file is called. */
  readonly fingerprint: string;
  readonly kind: string;
}

export type ToWorker =
  | { readonly kind: "known"; readonly files: readonly KnownFile[] }
  | { readonly kind: "scan"; readonly root: ScanRoot }
  /** A batch has been stored: the thread may send another one. */
  | { readonly kind: "stored" }
  | { readonly kind: "cancel" };

export type FromWorker =
  | { readonly kind: "found"; readonly total: number; readonly unchanged: number; readonly folders: readonly string[] }
  | { readonly kind: "batch"; readonly files: readonly ScannedFile[] }
  | { readonly kind: "done"; readonly outcome: ScanOutcome };

/** How a scan of one root ended, seen from the disk. */
export type ScanOutcome =
  | { readonly ended: "complete"; readonly missing: readonly string[]; /** Folders and files that are there and could not be read. */ readonly unreadable: readonly string[] }
  | { readonly ended: "cancelled" }
  /** The root cannot be trusted to show what is there; nothing may be removed. */
  | { readonly ended: "refused"; readonly reason: string };
