import type { Kysely } from "kysely";
import type { ColumnTypes, EngineName } from "@longbox/sdk";

/** What applying migrations needs to know of an engine. */
export interface MigrationRules {
  readonly engine: EngineName;
  readonly types: ColumnTypes;
  /** Whether the database has this table. */
  hasTable(database: Kysely<any>, name: string): Promise<boolean>;
  /** Runs steps in which a table may be made again under the same name without losing the rows that point to it. */
  whileTablesChange(connection: Kysely<any>, run: () => Promise<void>): Promise<void>;
  /** Lets rows of this transaction refer to rows that come later, where {@link whileTablesChange} cannot see to it. */
  putOffKeys?(transaction: Kysely<any>): Promise<void>;
  /** How many rows point to rows that are not there, and the table of one of them; undefined when none does. */
  findBrokenKeys(transaction: Kysely<any>): Promise<{ readonly rows: number; readonly table: string } | undefined>;
}
