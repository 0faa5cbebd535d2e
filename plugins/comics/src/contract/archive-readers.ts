import { extensionPoint } from "@longbox/sdk";

/**
 * Reads one kind of archive, such as RAR. ZIP, tar, PDF and folders of images are read without a reader. A kind has one
 * reader: of two with the same `id` or `format` the first one is used, and the other is named in the log.
 */
export interface ArchiveReader {
  /** The kind, in lower-case letters and digits: `rar`. */
  readonly id: string;
  /** What people call it: `RAR`. */
  readonly title: string;
  /** The id of the file format, in lower-case letters and digits: `cbr`. Kept beside every file. */
  readonly format: string;
  /** Endings of names that promise the kind, in lower case and without the dot. */
  readonly extensions: readonly string[];
  /** The media type of a whole file. */
  readonly contentType: string;
  /** The first bytes that identify the kind, as hexadecimal digits; 3 to 32 bytes each. */
  readonly magic: readonly string[];
  /** Methods of ZIP entries that {@link ArchiveReaderModule.unpackZip} knows, as numbered in ZIP directories. */
  readonly zipMethods?: readonly number[];
  /** The URL of a module that exports {@link ArchiveReaderModule}: `context.workerUrl(name)`. */
  readonly module: string;
}

/** Kinds of archives that comics are read from. */
export const ArchiveReaders = extensionPoint<ArchiveReader>("archiveReaders", "1.0.0");

/** An entry of an archive. Folders and links are left out. */
export interface ArchiveEntry {
  /** As it stands in the archive; it may be hostile, and is never used as a path. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly encrypted: boolean;
}

export interface ArchiveListing {
  readonly entries: readonly ArchiveEntry[];
  /** Entries can only be unpacked one after the other, from the first one: all pages are then unpacked at once. */
  readonly solid: boolean;
}

/** Entries to be unpacked. */
export interface ArchiveExtraction {
  /** The archive; absolute. */
  readonly path: string;
  /** Names of entries, as they were listed. */
  readonly names: readonly string[];
  /** An empty folder. The entry `names[i]` becomes the regular file `i` in it; other files in it are ignored. */
  readonly folder: string;
  /** The most bytes that may be written in all; beyond them the task fails with `too-large`. */
  readonly mostBytes: number;
}

/**
 * What is wrong with an archive: the `code` of an error that a reader throws. Any other error counts as `damaged`.
 * Messages are not shown to users; they see a sentence for the code.
 */
export type ArchiveProblem = "damaged" | "encrypted" | "truncated" | "too-large" | "unsupported";

/**
 * What the module of {@link ArchiveReader.module} exports. It runs in threads of the comics plugin, which end it when a
 * task takes more than 2 minutes (25 seconds in a scan) or the process grows by more than 384 MiB meanwhile.
 */
export interface ArchiveReaderModule {
  /** @param mostEntries - more are `too-large` @throws an error with an {@link ArchiveProblem} as its `code` */
  list(path: string, mostEntries: number): Promise<ArchiveListing>;
  /** @throws an error with an {@link ArchiveProblem} as its `code` */
  extract(extraction: ArchiveExtraction): Promise<void>;
  /**
   * Unpacks the only entry, named `page`, of a small ZIP in memory. For readers with {@link ArchiveReader.zipMethods}.
   * @throws an error with an {@link ArchiveProblem} as its `code`
   */
  unpackZip?(zip: Uint8Array, sizeBytes: number): Promise<Uint8Array>;
}
