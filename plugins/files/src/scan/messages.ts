import type { ReadFile } from "@longbox/collection/contract";
import type { FormatDescription } from "../formats/formats.js";
import type { InspectedPath } from "../inspecting/inspected-path.js";
import type { IgnoredPath } from "./ignored.js";
import type { BrokenFormat } from "../inspecting/loaded-formats.js";

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

/**
 * A file as the last scan left it. `modifiedMs` and `tagsMs` (of the companions beside it, 0 without) are milliseconds
 * since 1970.
 */
export interface KnownFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly tagsMs: number;
  /** The id of its format; `none: …` with the formats that there were when none could read it. */
  readonly format: string;
}

/** A file that was read, with what tells that it is the same one later. */
export interface ScannedFile {
  readonly file: ReadFile;
  /** As it was found now. */
  readonly state: Pick<KnownFile, "modifiedMs" | "tagsMs" | "format">;
  /** An earlier scan has seen a file at this path. */
  readonly isKnown: boolean;
  /** Identifies the contents, independent of the file's name. */
  readonly fingerprint: string;
  /**
   * Of samples of the contents, by which devices know the file; undefined for a folder, and where it cannot be read.
   */
  readonly partialMd5: string | undefined;
  /** JSON that the format keeps. */
  readonly details: string | undefined;
  /** Why its name was read so, where another reading is nearly as likely. */
  readonly doubts: readonly string[] | undefined;
}

declare const content: unique symbol;

/**
 * A list of files as JSON. A text crosses between threads in half the time that copying objects takes, and lists that
 * wait do not fill the heap with objects.
 */
export type PackedList<T> = string & { readonly [content]: T };

/** So many files are unpacked at once, which takes 2 ms at most where their tags are ordinary. */
const partItems = 100;

/** Packs a list item by item, so that its length is known meanwhile. */
export class Packing<T> {
  #items: string[] = [];
  #length = 0;

  add(item: T): void {
    const text = JSON.stringify(item);
    this.#items.push(text);
    this.#length += text.length;
  }

  get count(): number {
    return this.#items.length;
  }

  /** In characters. */
  get length(): number {
    return this.#length;
  }

  /** What was added so far, in parts that are unpacked one by one; it begins again with nothing. */
  take(): readonly PackedList<T>[] {
    const parts: PackedList<T>[] = [];
    for (let start = 0; start < this.#items.length; start += partItems)
      parts.push(`[${this.#items.slice(start, start + partItems).join(",")}]` as PackedList<T>);
    this.#items = [];
    this.#length = 0;
    return parts;
  }
}

export function packList<T>(list: readonly T[]): PackedList<T> {
  return JSON.stringify(list) as PackedList<T>;
}

export function unpackList<T>(text: PackedList<T>): readonly T[] {
  return JSON.parse(text) as readonly T[];
}

/** A file that is not looked into again, because a thread has died of it. */
export interface RefusedFile {
  readonly path: string;
  readonly error: string;
}

/** Undefined for a folder, and where it cannot be read. */
export interface FingerprintedPath {
  readonly path: string;
  readonly partialMd5: string | undefined;
}

/** What a thread needs to look into files. */
interface Inspecting {
  readonly formats: readonly FormatDescription[];
  /** Where it says which file it is looking into. */
  readonly shared: SharedArrayBuffer;
  readonly refused: readonly RefusedFile[];
  /** The longest for one file. */
  readonly longestMs: number;
}

export type ToWorker =
  | { readonly kind: "known"; readonly files: PackedList<KnownFile> }
  | (Inspecting & {
      readonly kind: "scan";
      readonly root: ScanRoot;
      /** Files that were read before a thread died in this scan; they are not read again though everything is to be. */
      readonly read: readonly string[];
    })
  /** Looks into files without a library. */
  | (Inspecting & { readonly kind: "inspect"; readonly paths: readonly string[] })
  /** Takes the fingerprints of files that were scanned before. */
  | { readonly kind: "fingerprint"; readonly paths: readonly string[]; readonly shared: SharedArrayBuffer }
  /** A batch has been stored: the thread may send another one. */
  | { readonly kind: "stored" }
  | { readonly kind: "cancel" };

export type FromWorker =
  | { readonly kind: "found"; readonly total: number; readonly unchanged: number; readonly folders: readonly string[] }
  | { readonly kind: "batch"; readonly parts: readonly PackedList<ScannedFile>[] }
  | { readonly kind: "broken"; readonly formats: readonly BrokenFormat[] }
  /** An inspection took too long, and may still go on in the thread. */
  | { readonly kind: "abandoned" }
  | { readonly kind: "inspected"; readonly files: readonly InspectedPath[]; readonly last: boolean }
  | { readonly kind: "fingerprints"; readonly files: readonly FingerprintedPath[] }
  | { readonly kind: "done"; readonly outcome: ScanOutcome };

/** How a scan of one root ended, seen from the disk. */
export type ScanOutcome =
  | {
      readonly ended: "complete";
      readonly missing: readonly string[];
      /** Folders and files that are there and could not be read. */ readonly unreadable: readonly string[];
      readonly ignored: readonly IgnoredPath[];
    }
  | { readonly ended: "cancelled" }
  /** The root cannot be trusted to show what is there; nothing may be removed. */
  | { readonly ended: "refused"; readonly reason: string };

export const folderNotThere: ScanOutcome = {
  ended: "refused",
  reason: "The library's folder is not there. Nothing was changed.",
};
