import { extensionPoint } from "@longbox/sdk";
import type { FolderReading, Inspection } from "./reading.js";

/**
 * A file format that libraries can hold. The engine lists, compares, moves and records files; a format only inspects
 * them.
 */
export interface FileFormat {
  /** Lower-case letters and digits, such as `cbz`. Kept beside every file of the format. */
  readonly id: string;
  /** The types of the libraries that hold it. */
  readonly libraryTypes: readonly string[];
  /** Extensions of the format, in lower case and without the dot. None for a format of folders only. */
  readonly extensions: readonly string[];
  /**
   * Endings of files that belong to a file of this format: with `ComicInfo.xml`, `A 1.ComicInfo.xml` is read with and
   * moved along with `A 1.cbz`.
   */
  readonly companions?: readonly string[];
  /** The media type of a whole file. */
  readonly contentType: string;
  /** The URL of a module that exports {@link InspectorModule}: `context.workerUrl(name)`. */
  readonly inspector: string;
  /** Reads everything in a file. @returns what is damaged, in a sentence; undefined when the file is whole */
  verify?(path: string): Promise<string | undefined>;
  /**
   * A text that is equal only for files with equal contents, however they are packed; undefined when that cannot be
   * told.
   */
  digest?(path: string): Promise<string | undefined>;
  /** The image by which people tell the file from others; undefined when it has none. */
  cover?(path: string): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
}

/** File formats that libraries can hold. */
export const FileFormats = extensionPoint<FileFormat>("fileFormats", "1.0.0");

/** A file that is looked into, in the thread that scans. */
export interface InspectedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** The names of the folders between the library's root and the file, outermost first; none outside of libraries. */
  readonly folders: readonly string[];
  /** The first bytes, up to 16 kB; empty for a folder. Used again for the next file: copy what is to be kept. */
  readonly head: Buffer;
  /** Companions that are there, by their paths. */
  readonly companions: readonly string[];
  /** Reads up to this many bytes; fewer at the end of the file. The total for one file is limited. */
  read(offset: number, length: number): Buffer;
  /** Aborts when the file takes too long. */
  readonly signal: AbortSignal;
}

/** What a folder holds, by name. */
export interface FolderListing {
  readonly name: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/**
 * Looks into files of one format. It runs in a thread that scans; one that throws, hangs or takes too much memory makes
 * one unreadable file.
 */
export interface FormatInspector {
  /** Must be cheap: looks at the name and the first bytes only. */
  matches(file: { readonly name: string; readonly head: Buffer }): boolean;
  /** Whether a folder below the library's root is one work. Its files are then none of their own. */
  matchesFolder?(folder: FolderListing): boolean;
  inspect(file: InspectedFile): Inspection | Promise<Inspection>;
}

/**
 * What the module of {@link FileFormat.inspector} exports. One thread may serve several scans, one after the other, so
 * that what the module keeps in memory may outlive a scan.
 */
export interface InspectorModule {
  /** By the ids of the formats. */
  readonly inspectors: Readonly<Record<string, FormatInspector>>;
  /** Reads what other programs left in a folder about the series in it. */
  readFolder?(path: string): FolderReading | undefined;
}
