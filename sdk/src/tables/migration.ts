import type { Kysely, SchemaModule } from "kysely";
import type { ColumnTypes } from "./column-types.js";

/** The storage engines that a plugin's tables can live in. */
export type EngineName = "sqlite" | "postgres";

/** SQL that engines spell differently: the statements for each of them, and why the schema builder cannot say it. */
export interface EngineStatements extends Readonly<Record<EngineName, readonly string[]>> {
  readonly reason: string;
}

/** The tools of a migration step. */
export interface MigrationStep {
  /** Makes and changes tables and indexes. */
  readonly schema: SchemaModule;
  /** The types that columns may have. */
  readonly types: ColumnTypes;
  /** The transaction of the step, for moving rows. It sees the tables as the previous steps left them. */
  readonly database: Kysely<any>;
  /** Runs the statements of the engine at hand. */
  raw(statements: EngineStatements): Promise<void>;
}

/** One step of a plugin's database, applied once, in order, inside a transaction. Made by {@link migration}. */
export interface Migration {
  /** Sorts and identifies the step: `0001-shelves`. */
  readonly name: string;
  /**
   * Changes the schema. It must never be modified later: a checksum of its statements is stored with the data.
   * It is also called to compute that checksum; then nothing is changed and every query returns no rows.
   */
  up(step: MigrationStep): Promise<void>;
}

/**
 * Declares a step with Kysely's schema builder and the portable column types.
 * @param name - sorts and identifies the step: `0001-shelves`
 */
export function migration(name: string, up: (step: MigrationStep) => Promise<void>): Migration {
  return { name, up };
}

/** Declares a step whose SQL every engine spells differently. */
export function rawMigration(name: string, statements: EngineStatements): Migration {
  return migration(name, (step) => step.raw(statements));
}
