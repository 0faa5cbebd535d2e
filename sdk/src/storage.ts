import type { Expression, Kysely, SqlBool } from "kysely";
import type { z } from "zod";

/**
 * A full-text index beside the plugin's tables, made with the engine's own module (FTS5, FTS4). Accents and case are
 * folded.
 */
export interface FullText {
  /**
   * Whether it was just created and has to be filled: it is new, its columns changed, or it was made by another driver.
   */
  readonly empty: boolean;
  /** Adds or replaces rows by id. Pass the transaction that changes the tables, so that both change together. */
  put(
    database: Kysely<any>,
    rows: ReadonlyArray<{ readonly id: number } & Readonly<Record<string, string | number>>>,
  ): Promise<void>;
  remove(database: Kysely<any>, ids: readonly number[]): Promise<void>;
  clear(database: Kysely<any>): Promise<void>;
  /** A condition for `where`: the row's id is among those whose text has every word of `text`, each as a prefix. */
  matches(idColumn: string, text: string): Expression<SqlBool>;
}

/** A small, human-readable document, written atomically. */
export interface StoredDocument<T> {
  read(): T;
  /** Changes are made one after the other; the promise settles once the new text is on disk. */
  update(change: (current: T) => T): Promise<T>;
}

/** A rebuildable database in memory, with a snapshot on disk. */
export interface MemoryIndex<Tables> {
  readonly database: Kysely<Tables>;
  /** Writes the snapshot. */
  save(): Promise<void>;
  /** Empties the index and rebuilds it. */
  rebuild(): Promise<void>;
  /** Whether a snapshot of this version was found, so that nothing had to be built. */
  readonly restored: boolean;
}

/** A cache of files that can be made again. The least recently used ones are deleted to keep it below a limit. */
export interface FileCache {
  /** The path of a cached file, or undefined. */
  find(key: string): Promise<string | undefined>;
  /** The path of the file, which is created if it is not cached. Concurrent calls for the same key share the work. */
  fetch(key: string, make: () => Promise<Uint8Array>): Promise<string>;
  /**
   * Moves a file into the cache, without reading it where both are on one disk. If the key is cached already, the file
   * is deleted.
   * @param path - a file of the plugin's own, such as one in a temporary folder; it is gone afterwards
   * @returns the path of the cached file
   */
  take(key: string, path: string): Promise<string>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
  sizeBytes(): number;
}

/**
 * The persistent storage of a plugin. Everything in it belongs to the plugin alone and is deleted when it is purged.
 */
export interface PluginStorage {
  /** The plugin's own database. Acknowledged writes are durable. */
  database<Tables>(): Kysely<Tables>;
  /** The same database, read only, on another thread: for queries that take longer than a few milliseconds. */
  reader<Tables>(): Kysely<Tables>;
  /**
   * A number that changes with every write to the database. Results that were cached in memory while it had its current
   * value are up to date.
   */
  dataVersion(): number;
  /** Opens (and makes, once) a full-text index with these columns. */
  fullText(name: string, columns: readonly string[]): Promise<FullText>;
  /** Opens a rebuildable index; `build` fills it when there is no snapshot of this `version`. */
  index<Tables>(
    name: string,
    options: { version: string; build: (database: Kysely<Tables>) => Promise<void> },
  ): Promise<MemoryIndex<Tables>>;
  document<T>(name: string, schema: z.ZodType<T>): Promise<StoredDocument<T>>;
  /** The plugin's own folder, for persistent files. */
  readonly folder: string;
  /**
   * Makes a folder for what is needed for a while only, such as what an archive is unpacked to. It goes when the plugin
   * stops, and at the next start when the server was killed; it is in no backup.
   */
  temporaryFolder(): Promise<string>;
  cache(name: string, options: { maxBytes: number }): Promise<FileCache>;
}
