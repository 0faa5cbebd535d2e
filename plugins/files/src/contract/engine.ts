import type { FileHandle } from "node:fs/promises";
import { contract } from "@longbox/sdk";

/** What the last scan read of a file. */
export interface ReadRecord {
  readonly path: string;
  /** The format's id; undefined when none could read it. */
  readonly format: string | undefined;
  readonly libraryId: number;
  readonly seriesId: number;
  readonly issueId: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly tagged: boolean;
  readonly error: string | undefined;
  /** What the format's inspector gave to be kept. */
  readonly details: unknown;
}

/** Files of libraries on disk, for the plugins that know what is in them. */
export interface FilesEngine {
  /** What the last scan read of these files. */
  findRead(paths: readonly string[]): Promise<readonly ReadRecord[]>;
  /** Files by path, those of one format only, a part at a time. @param after - the last path of the part before */
  listRead(query: {
    readonly format?: string;
    readonly tagged?: boolean;
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly ReadRecord[]>;
  /**
   * Works alone with the libraries' files: no scan, move or import sees the work half done.
   * @param doing - a sentence about the work: `Tags are being written`
   * @throws {Conflict} `files/busy` when others are at work, and go on for some seconds
   */
  exclusively<T>(doing: string, perform: () => Promise<T>): Promise<T>;
  /**
   * Writes a file in a single step: others see the old or the new one, also after a crash.
   * @param write - throws when what it wrote must not be used: then nothing has changed
   */
  replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void>;
  /**
   * Says that another file, which is there already, holds what a file held: its issue and its assignment go to the new
   * one, the old one to the trash.
   * @throws {LongboxError} `files/not-moved`
   */
  supersede(former: string, replacement: string): Promise<void>;
  /** Has files read again; begins at once or after what is under way. */
  rescan(paths: readonly string[]): Promise<void>;
}

export const FilesEngine = contract<FilesEngine>("files.engine", "1.0.0");
