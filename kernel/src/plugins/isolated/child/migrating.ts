import {
  ColumnDefinitionBuilder,
  Kysely,
  type ColumnDefinitionNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Expression,
  type OperationNode,
  type QueryResult,
} from "kysely";
import type { ColumnTypes, PluginDefinition } from "@longbox/sdk";
import type { ToldStep } from "../agreement.js";
import { grammars } from "./engine-grammars.js";

/** Runs a step here; its queries run in the kernel's transaction, compiled by the kernel's engine. */
export async function migrateBy(definition: PluginDefinition, name: string, step: ToldStep): Promise<void> {
  const migration = definition.migrations.find((each) => each.name === name);
  if (!migration) throw new Error(`There is no migration "${name}".`);
  const database = stepDatabase(step);
  await migration.up({
    schema: database.schema,
    types: typesOf(step),
    database,
    raw: (statements) => step.raw(statements),
  });
}

function typesOf({ types, numbered }: ToldStep): ColumnTypes {
  const type = <T>(name: keyof ColumnTypes): Expression<T> => expressionOf<T>(types[name] as OperationNode);
  return {
    id: type("id"),
    instant: type("instant"),
    count: type("count"),
    real: type("real"),
    flag: type("flag"),
    text: type("text"),
    folded: type("folded"),
    json: type("json"),
    bytes: type("bytes"),
    numbered(column) {
      const { column: own, dataType } = column.toOperationNode();
      return new ColumnDefinitionBuilder({ ...(numbered as ColumnDefinitionNode), column: own, dataType });
    },
  };
}

const expressionOf = <T>(node: OperationNode): Expression<T> => ({
  expressionType: undefined,
  toOperationNode: () => node,
});

function stepDatabase(step: ToldStep): Kysely<any> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ query }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, numAffectedRows, insertId } = await step.run(query);
      return {
        rows: rows as R[],
        ...(numAffectedRows !== undefined && { numAffectedRows }),
        ...(insertId !== undefined && { insertId }),
      };
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      yield await connection.executeQuery<R>(query);
    },
  };
  const nothing = async () => undefined;
  const driver: Driver = {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  };
  const grammar = grammars[step.engine];
  return new Kysely({
    dialect: {
      createDriver: () => driver,
      // Its text is not used: the kernel compiles the tree again.
      createQueryCompiler: () => grammar.compiler(),
      createAdapter: () => grammar.adapter(),
      createIntrospector: (database) => grammar.introspector(database),
    },
  });
}
