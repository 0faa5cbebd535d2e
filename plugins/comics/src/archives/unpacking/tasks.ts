import type { ComicInfo } from "../../tags/comic-info.js";
import type { PageEntry } from "../archive.js";
import type { TarEntry } from "../tar-directory.js";
import type { UnreadableReason } from "../unreadable.js";
import type { ZipEntry } from "../zip-directory.js";

/** An entry of an archive that has to be unpacked to be read. */
export interface ListedEntry {
  readonly name: string;
  readonly sizeBytes: number;
  readonly encrypted: boolean;
}

/** The pages of an archive in reading order, and where its tags are. Nothing else of it leaves the thread. */
export interface Listing<Entry extends { readonly name: string }> {
  readonly pages: ReadonlyArray<PageEntry & { readonly entry: Entry }>;
  readonly tags: Entry | undefined;
}

/** What a library for an archive's format lists. */
export interface ArchiveEntries {
  readonly entries: readonly ListedEntry[];
  readonly solid: boolean;
}

export interface ListedArchive extends Listing<ListedEntry> {
  /** Entries can only be unpacked one after the other, from the first one. */
  readonly solid: boolean;
}

/** What the unpacking thread does. Paths are absolute. */
export type UnpackTask =
  | { readonly kind: "list"; readonly format: "rar" | "7z"; readonly path: string }
  | { readonly kind: "list-zip"; readonly path: string }
  | { readonly kind: "list-tar"; readonly path: string }
  /** Reads ComicInfo.xml: the file itself, or the one in a ZIP. */
  | { readonly kind: "read-tags"; readonly from: "xml" | "zip"; readonly path: string }
  /** Writes a copy of a ZIP with other tags into an open file of this process, which is empty. */
  | { readonly kind: "write-tags"; readonly path: string; readonly descriptor: number; readonly xml: Uint8Array }
  /** Writes entries as files `0`, `1`, … in the order of `names` into an empty folder. */
  | {
      readonly kind: "extract";
      readonly format: "rar" | "7z";
      readonly path: string;
      readonly names: readonly string[];
      readonly folder: string;
    }
  /** Unpacks the only entry of a small ZIP. */
  | { readonly kind: "unzip"; readonly zip: Uint8Array; readonly sizeBytes: number }
  | { readonly kind: "count-pdf"; readonly path: string }
  /** Draws one page, counted from 0, as JPEG. */
  | { readonly kind: "pdf-page"; readonly path: string; readonly page: number };

export interface UnpackResults {
  readonly list: ListedArchive;
  readonly "list-zip": Listing<ZipEntry>;
  readonly "list-tar": Listing<TarEntry>;
  readonly "read-tags": ComicInfo | undefined;
  readonly "write-tags": undefined;
  readonly extract: undefined;
  readonly unzip: Uint8Array;
  readonly "count-pdf": number;
  readonly "pdf-page": Uint8Array;
}

export interface ToUnpackThread {
  readonly id: number;
  readonly task: UnpackTask;
}

export type FromUnpackThread =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | {
      readonly id: number;
      readonly ok: false;
      readonly reason: UnreadableReason | undefined;
      readonly message: string;
    };
