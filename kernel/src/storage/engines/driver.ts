import type { Dialect, Kysely } from "kysely";
import type { FullText } from "@longbox/sdk";
import type { MigrationRules } from "./migration-rules.js";

/**
 * Where the tables of one state of an owner's data belong. An engine of files keeps them in the folder; a database
 * server keeps a schema of its own for each place.
 */
export interface DatabasePlace {
  readonly owner: string;
  /** The folder of this state of the data. Every state has its own. */
  readonly folder: string;
}

/** The right to use a database, for one query or for the length of a transaction. What is behind it is the driver's. */
export interface Turn {
  free(): void;
  /** Takes the right back: what was begun is rolled back, and further statements are refused. */
  revoke(): void;
}

/** Where a Kysely gets its turns. */
export interface TurnSource<T> {
  acquire(): Promise<T>;
  /** Turns a driver's fault into what callers may see, or gives it back as it is. */
  translate(fault: unknown): unknown;
}

/** A database that may move to another place, and is made when it is first opened. */
export interface ReadableDatabase {
  readonly place: DatabasePlace;
  /** Its statements are those of a stranger. */
  readonly isConfined: boolean;
  /** What it reads is ended with its process, where an engine cannot interrupt a statement. */
  readonly readsApart: boolean;
  /** What reads of it are under way, to be ended with the turns. */
  readonly reads: Set<{ end(): void }>;
  /** Settles once the database is there. */
  ready(): Promise<void>;
}

/** Who asks for a turn. */
export interface TurnUser<T extends Turn = Turn> {
  /** Called once the turn has been freed or revoked. */
  ended?(turn: T): void;
  /** The statements are those of a stranger. */
  readonly isConfined?: boolean;
}

/** One open database, however many use it in this process. */
export interface OpenDatabase<T extends Turn = Turn> {
  readonly place: DatabasePlace;
  /** Another number after every write, which no other database ever had. */
  readonly version: number;
  acquire(user?: TurnUser<T>): Promise<T>;
  /**
   * Lets nothing be written until the given function is called. What is being written ends first.
   * @throws {LongboxError} `kernel/database-busy` when it is not free within the limit
   */
  hold(waitLimitMs?: number): Promise<() => void>;
  /** Call while it is held and no longer used. */
  close(): Promise<void>;
}

/** A database as it was at one instant. */
export interface DatabaseSnapshot {
  /** Writes it into a folder where none is, in the form that {@link StorageDriver.open} takes in. */
  copyTo(folder: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * What a way of keeping tables has to do. Everything else about storage is the same for all: documents and files, which
 * state of the data counts, and who waits while a copy is on trial.
 */
export interface StorageDriver<T extends Turn = Turn> {
  readonly migrationRules: MigrationRules;
  /** Kysely's dialect: the engine's grammar over turns of the source. */
  dialect(source: TurnSource<T>): Dialect;
  /** A dialect that only reads, without blocking the event loop; undefined when this driver has none. */
  reader(database: ReadableDatabase): Dialect | undefined;
  /** Opens a full-text index, making it when it is not there, has other columns or was made by another driver. */
  openFullText(database: Kysely<any>, name: string, columns: readonly string[]): Promise<FullText>;
  /** What a fault means for callers; anything that is not the engine's is given back as it is. */
  translate(fault: unknown, place: DatabasePlace): unknown;
  exists(place: DatabasePlace): Promise<boolean>;
  /**
   * Opens the database of a place, making it when it is not there. What {@link DatabaseSnapshot.copyTo} wrote into the
   * folder is taken in: so a backup is restored. Called once for a place until it is closed.
   */
  open(place: DatabasePlace): Promise<OpenDatabase<T>>;
  /**
   * Fixes the states of open databases, in their order. Call it while all of them are held; copying may come later.
   * When one cannot be fixed, none is.
   */
  snapshots(databases: readonly OpenDatabase<T>[]): Promise<DatabaseSnapshot[]>;
  /** Copies an open database that is held to a place where none is: for the trial of an upgrade. */
  copy(database: OpenDatabase<T>, target: DatabasePlace): Promise<void>;
  /**
   * Durably records that a place is abandoned: nothing is expected there any more, and what {@link StorageDriver.drop}
   * could not remove, or was not called for, is removed when other places are opened.
   */
  leave(place: DatabasePlace): Promise<void>;
  /** Gives a place up, and removes what is kept outside of its folder, whether or not the folder is there. */
  drop(place: DatabasePlace): Promise<void>;
  /** Closes the files of this place that readers hold open. */
  forget(place: DatabasePlace): Promise<void>;
  release(): Promise<void>;
}
