import { PostgresIntrospector, sql, type DatabaseMetadataOptions, type Kysely, type TableMetadata } from "kysely";

/** Lists the tables of one schema; an owner has only one. */
export class SchemaIntrospector extends PostgresIntrospector {
  readonly #database: Kysely<any>;

  constructor(database: Kysely<any>) {
    super(database);
    this.#database = database;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(this.#database);
    return (await super.getTables(options)).filter(({ schema }) => schema === rows[0]?.name);
  }
}
