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

/** Runs a query that was compiled elsewhere. @param signal - gives it up, and ends it where the engine can */
export function runText(database: Kysely<any>, query: QueryText, signal?: AbortSignal): Promise<QueryResult<unknown>> {
  return database.executeQuery(compiledOf(query), { signal });
}

/** Runs it piece by piece. @param chunkSize - the most rows of a piece */
export async function* streamText(
  database: Kysely<any>,
  query: QueryText,
  { chunkSize, signal }: { readonly chunkSize: number; readonly signal: AbortSignal },
): AsyncGenerator<readonly unknown[]> {
  // A reader has all rows at once.
  for await (const { rows } of database.getExecutor().stream(compiledOf(query), chunkSize, { signal }))
    for (let at = 0; at < rows.length; at += chunkSize) yield rows.slice(at, at + chunkSize);
}

function compiledOf({ text, parameters, isRead }: QueryText): CompiledQuery {
  const raw = CompiledQuery.raw(text, [...parameters]);
  // After a write, those who keep results must look again: what is no `select` counts as one.
  return isRead && /^\s*select\b/i.test(text) ? { ...raw, query: reading } : raw;
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
