import type { Dialect } from "kysely";
import type { Engine } from "./engine.js";
import type { FullTextSyntax } from "./full-text.js";

/** A database file that may move, and is made when it is first opened. */
export interface ReadableFile {
  readonly path: string;
  /** Settles once the file is there. */
  ready(): Promise<void>;
}

/** A database as it was at one instant. */
export interface DatabaseSnapshot {
  /** Copies it to a path where nothing is. */
  copyTo(target: string): Promise<void>;
  release(): Promise<void>;
}

/** What a way of keeping tables has to do; everything else about storage is the same for all. */
export interface StorageDriver {
  readonly fullText: FullTextSyntax;
  /** Opens the database file, making it when it is not there. Called once for a path until it is closed. */
  open(path: string): Promise<Engine>;
  /** Fixes the state of an open database. Call it while nobody writes; copying may come later. */
  snapshot(engine: Engine, path: string): Promise<DatabaseSnapshot>;
  /** A dialect that only reads the file, on another thread; undefined when this driver has none. */
  reader(file: ReadableFile): Dialect | undefined;
  /** Lets go of what readers hold open of this file. */
  forget(path: string): Promise<void>;
  release(): Promise<void>;
}
