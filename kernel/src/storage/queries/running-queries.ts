import {
  CompiledQuery,
  createQueryId,
  SelectQueryNode,
  type Kysely,
  type QueryResult,
  type RootOperationNode,
} from "kysely";

/** A query that was compiled in another process, for the engine that runs it here. */
export interface QueryText {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** What the other process says; not taken on trust. */
  readonly isRead: boolean;
}

const reading = SelectQueryNode.create();

/** Runs a query that was compiled elsewhere. */
export function runText(database: Kysely<any>, { text, parameters, isRead }: QueryText): Promise<QueryResult<unknown>> {
  const raw = CompiledQuery.raw(text, [...parameters]);
  // After a write, those who keep results must look again: what is no `select` counts as one.
  return database.executeQuery(isRead && /^\s*select\b/i.test(text) ? { ...raw, query: reading } : raw);
}

/**
 * Runs a tree of Kysely's, compiled by the database's own engine.
 * @param check - throws for text that may not run
 */
export async function runNode(
  database: Kysely<any>,
  node: RootOperationNode,
  check: (text: string) => void,
): Promise<QueryResult<unknown>> {
  const executor = database.getExecutor();
  const id = createQueryId();
  const compiled = executor.compileQuery(executor.transformQuery(node, id), id);
  check(compiled.sql);
  return executor.executeQuery(compiled);
}
