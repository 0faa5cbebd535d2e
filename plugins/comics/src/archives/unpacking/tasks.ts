import type { ArchiveEntry, ArchiveExtraction } from "../../contract/archive-readers.js";
import type { ReaderDescription } from "../../readers/reader-set.js";
import type { ComicInfo } from "../../tags/comic-info.js";
import type { XmlNode } from "../../tags/xml-nodes.js";
import type { PageEntry } from "../archive.js";
import type { TarEntry } from "../tar-directory.js";
import type { UnreadableReason } from "../unreadable.js";
import type { ZipEntry } from "../zip-directory.js";

/** The pages of an archive in reading order, and where its tags are. Nothing else of it leaves the thread. */
export interface Listing<Entry extends { readonly name: string }> {
  readonly pages: ReadonlyArray<PageEntry & { readonly entry: Entry }>;
  readonly tags: Entry | undefined;
}

/** The pages of an EPUB in the order of its spine. */
export interface EpubListing extends Listing<ZipEntry> {
  readonly rightToLeft: boolean;
}

export interface ListedArchive extends Listing<ArchiveEntry> {
  /** Entries can only be unpacked one after the other, from the first one. */
  readonly solid: boolean;
}

/** The tags of a file before new ones are written. */
export interface FormerTags {
  readonly comic: ComicInfo | undefined;
  /** The document MetronInfo.xml. */
  readonly metron: XmlNode | undefined;
}

/** A file of tags in an archive. */
export interface TagFile {
  readonly name: "ComicInfo.xml" | "MetronInfo.xml";
  readonly xml: Uint8Array;
}

/** Where tags stand: in a file of their own or in a ZIP, which one of the readers may have to unpack. */
export interface ReadFormerTags {
  readonly path: string;
  readonly from: "xml" | "zip";
  readonly readers: readonly ReaderDescription[];
}

/** What the unpacking thread does. Paths are absolute; `reader` is the URL of a reader's module. */
export type UnpackTask =
  | { readonly kind: "list"; readonly reader: string; readonly path: string }
  | { readonly kind: "list-zip"; readonly path: string }
  | { readonly kind: "list-tar"; readonly path: string }
  | { readonly kind: "list-epub"; readonly path: string }
  /** Reads ComicInfo.xml and MetronInfo.xml: the file itself, or those in a ZIP. */
  | ({ readonly kind: "read-tags" } & ReadFormerTags)
  /** Writes a copy of a ZIP with other tags into an open file of this process, which is empty. */
  | {
      readonly kind: "write-tags";
      readonly path: string;
      readonly descriptor: number;
      readonly tags: readonly TagFile[];
    }
  /** Writes entries as files `0`, `1`, … in the order of `names` into an empty folder. */
  | ({ readonly kind: "extract"; readonly reader: string } & ArchiveExtraction)
  /** Unpacks the only entry of a small ZIP. */
  | { readonly kind: "unzip"; readonly reader: string; readonly zip: Uint8Array; readonly sizeBytes: number }
  | { readonly kind: "count-pdf"; readonly path: string }
  /** Draws one page, counted from 0, as JPEG. */
  | { readonly kind: "pdf-page"; readonly path: string; readonly page: number };

export interface UnpackResults {
  readonly list: ListedArchive;
  readonly "list-zip": Listing<ZipEntry>;
  readonly "list-tar": Listing<TarEntry>;
  readonly "list-epub": EpubListing;
  readonly "read-tags": FormerTags;
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
