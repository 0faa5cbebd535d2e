import type { Dialect } from "kysely";
import type { Engine } from "./engine.js";
import type { FullTextSyntax } from "./full-text.js";

/** A database file that may move, and is made when it is first opened. */
export interface ReadableFile {
  readonly path: string;
  /** Settles once the file is there. */
  ready(): Promise<void>;
}

/** What a way of keeping tables has to do; everything else about storage is the same for all. */
export interface StorageDriver {
  readonly fullText: FullTextSyntax;
  /** Opens the database file, making it when it is not there. Called once for a path until it is closed. */
  open(path: string): Promise<Engine>;
  /** Copies an open database, as of one instant, to a path where nothing is. */
  copy(engine: Engine, path: string, target: string): Promise<void>;
  /** A dialect that only reads the file, on another thread; undefined when this driver has none. */
  reader(file: ReadableFile): Dialect | undefined;
  /** Lets go of what readers hold open of this file. */
  forget(path: string): Promise<void>;
  release(): Promise<void>;
}
