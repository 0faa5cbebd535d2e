import type { AbortableOperationOptions, CompiledQuery, DatabaseConnection, QueryResult } from "kysely";

/**
 * A connection whose queries do not fail any more once they were given up: Kysely has told the caller the reason of the
 * signal by then, and would print the fault to the console.
 */
export abstract class QuietConnection implements DatabaseConnection {
  protected abstract run<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>>;

  /** @param chunkSize - the most rows of one result */
  protected abstract iterate<R>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterable<QueryResult<R>>;

  async executeQuery<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>> {
    try {
      return await this.run<R>(query, options);
    } catch (fault) {
      if (options?.signal?.aborted) return { rows: [] };
      throw fault;
    }
  }

  async *streamQuery<R>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    try {
      yield* this.iterate<R>(query, chunkSize, options);
    } catch (fault) {
      if (!options?.signal?.aborted) throw fault;
    }
  }
}

/**
 * Gets a connection. Once it was given up, no caller waits for one, and that it failed would be printed to the console.
 */
export async function acquireQuietly<C>(
  acquire: () => Promise<C>,
  options: AbortableOperationOptions | undefined,
): Promise<C> {
  try {
    return await acquire();
  } catch (fault) {
    if (options?.signal?.aborted) return new Promise(() => undefined);
    throw fault;
  }
}
