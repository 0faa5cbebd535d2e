import { contract } from "@longbox/sdk";
import type { ParsedName } from "../names/parsed-name.js";

export type { ParsedName } from "../names/parsed-name.js";

/** Known facts that help to parse a name. */
export interface NameHints {
  /** The series as its folder or a list names it: what follows it in the name is its number. */
  readonly series?: string | undefined;
}

/** The series as parsed from a folder's name. */
export interface ParsedFolderName {
  readonly name: string;
  readonly year: number | undefined;
  readonly volume: number | undefined;
  /** The provider's id of the volume, as in `[cv-4711]`. */
  readonly cvId: number | undefined;
}

/**
 * Reads what names say of series and numbers, as scans do. Nothing is looked up, and nothing throws: what a name does
 * not say is undefined. Answers come in the order of the names. Of each name the first 1,000 characters count.
 */
export interface FileNames {
  /** Files' names, without their folders: `Moth Patrol 003 (2019) (Digital).cbz`. */
  readFiles(names: readonly string[], hints?: NameHints): Promise<readonly ParsedName[]>;
  /** The names of folders that hold a series each: `Moth Patrol (2019) [cv-4711]`. */
  readFolders(names: readonly string[]): Promise<readonly ParsedFolderName[]>;
  /**
   * Titles that are not, or not only, files' names: of releases (`Moth.Patrol.003.2019.Digital-GROUP`), of Usenet
   * posts (`[3/9] - "Moth Patrol 003.cbz" yEnc (1/20)`), of entries in lists, or what a person searches for.
   */
  readTitles(titles: readonly string[], hints?: NameHints): Promise<readonly ParsedName[]>;
}

export const FileNames = contract<FileNames>("files.names", "1.0.0");
