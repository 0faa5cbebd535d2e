import type { Kysely } from "kysely";
import type { Migration, PluginStorage, Releasable } from "@longbox/sdk";
import { token } from "../injection.js";
import type { VersionChange } from "./owners/data-pointer.js";

/** The storage of one plugin while it is open. Releasing it closes everything that was opened through it. */
export interface OpenStorage extends PluginStorage, Releasable {
  /**
   * From now on, the statements are those of a stranger, who runs in a process of its own. Where an engine cannot keep
   * them to the owner's tables, they fail with `kernel/engine-not-isolated`.
   */
  confine(): void;
  /**
   * From now on, `reader` reads where a statement can be ended that is given up: it may be one that never ends by
   * itself.
   */
  readApart(): void;
  /** Rolls back the transactions that are under way, and ends their statements. */
  revokeTurns(): void;
  /** Calls the listener, the last one given, whenever something is asked of it after it was closed. */
  onRefused(listener: () => void): void;
  /**
   * Brings the database up to these migrations.
   * @throws {LongboxError} `kernel/database-newer` when the database has steps that the code does not know: nothing is
   *   touched
   * @throws {LongboxError} `kernel/migration-changed` when an applied step has another checksum
   * @returns how many steps were taken
   */
  migrate(migrations: readonly Migration[]): Promise<number>;
  /** Refuses what {@link migrate} would refuse before it changes anything. */
  checkMigrations(migrations: readonly Migration[]): Promise<void>;
}

/** The data as a version of the plugin left it. */
export interface LeftData {
  readonly version: string;
  readonly at: string;
}

/**
 * A private copy of a plugin's data, made for the trial of another version.
 *
 * Until `adopt` or `discard`, queries and document writes of the live activation wait, so
 * that no acknowledged write can be missing from the copy. Do not wait for that activation in between: it waits for
 * you.
 */
export interface TrialData {
  readonly storage: OpenStorage;
  /**
   * Makes the copy the plugin's data, in one step that `kill -9` cannot halve; the former data is kept for a rollback.
   * They, and all later writes of the former activation while it drains, then apply to the adopted data.
   * `storage` stays open, under the same paths.
   * @returns where the former data is, below the data folder
   */
  adopt(change?: VersionChange): Promise<string>;
  /** Closes the copy and throws it away; what had to wait goes on with the live data, which is as it was. */
  discard(): Promise<void>;
}

/** Everything that is kept, as it was at one instant; caches and indexes, which can be made again, are not in it. */
export interface StorageSnapshot extends Releasable {
  readonly owners: readonly string[];
  /** Copies it into a folder, laid out like the data folder. */
  copyTo(folder: string): Promise<void>;
}

/** Every database, document and file of the server, by owner. Owner ids are `kernel` and plugin ids. */
export interface Storing extends Releasable {
  open(owner: string): Promise<OpenStorage>;
  /**
   * A consistent copy of the owner's data, open.
   * @param of - the version of the plugin whose data is to be copied as it left them; the present data by default
   * @throws {LongboxError} `kernel/trial-running` when the owner's data is on trial already
   * @throws {LongboxError} `kernel/no-previous-data` when none of that version is kept
   */
  trial(owner: string, of?: string): Promise<TrialData>;
  /** The versions that left data which is kept, the last first. */
  leftData(owner: string): Promise<LeftData[]>;
  /** Whether the data from before the last `adopt` is still there. */
  hasPrevious(owner: string): Promise<boolean>;
  /**
   * Goes back to the data from before the last `adopt`, in one step; a second call goes forward again. What is open
   * moves along.
   * @returns where what was the data until now stays, below the data folder; the last three of them do
   * @throws {LongboxError} `kernel/no-previous-data`
   */
  restorePrevious(owner: string): Promise<string>;
  /** Whether anything is kept for this owner. */
  exists(owner: string): Promise<boolean>;
  sizeBytes(owner: string): Promise<number>;
  /** What takes room in the data folder, in words, the largest first. */
  usage(): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]>;
  /** Drops files from all caches, of plugins that are gone too, that were not used since then. */
  tidyCaches(unusedSince: Date): Promise<{ readonly files: number; readonly freedBytes: number }>;
  /**
   * Fixes the state of all databases and documents at one instant, for a backup. Writers wait only while it is fixed.
   */
  snapshot(): Promise<StorageSnapshot>;
  /** Removes everything of this owner: data, cache, copies. */
  purge(owner: string): Promise<void>;
}
export const Storing = token<Storing>("the storage");

export type KernelDatabase = Kysely<unknown>;
