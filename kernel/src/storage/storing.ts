import type { Kysely } from "kysely";
import type { Migration, PluginStorage, Releasable } from "@longbox/sdk";

/** The storage of one plugin while it is open. Releasing it closes everything that was opened through it. */
export interface OpenStorage extends PluginStorage, Releasable {
  /**
   * Brings the database up to these migrations.
   * @throws {LongboxError} `kernel/database-newer` when the database has steps that the code does not know: nothing is touched
   * @throws {LongboxError} `kernel/migration-changed` when an applied step has another checksum
   */
  migrate(migrations: readonly Migration[]): Promise<void>;
}

/** A private copy of a plugin's data, made for the trial of another version. */
export interface TrialData {
  readonly storage: OpenStorage;
  /** Makes the copy the plugin's data, in one step that `kill -9` cannot halve; the former data is kept for a rollback. */
  adopt(): Promise<void>;
  /** Throws the copy away. */
  discard(): Promise<void>;
}

/** Every database, document and file of the server, by owner. Owner ids are `kernel` and plugin ids. */
export interface Storing extends Releasable {
  open(owner: string): Promise<OpenStorage>;
  /** A consistent copy of the owner's data, open. The live data goes on being written until `adopt` is prepared by closing it. */
  trial(owner: string): Promise<TrialData>;
  /** Whether anything is kept for this owner. */
  exists(owner: string): Promise<boolean>;
  sizeBytes(owner: string): Promise<number>;
  /** Removes everything of this owner: data, cache, copies. */
  purge(owner: string): Promise<void>;
}

export type KernelDatabase = Kysely<unknown>;
