import {
  Kysely,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type Transaction,
} from "kysely";

/**
 * Lets statements of a transaction go to the database together, as far as none needs the answer of another: a database
 * server answers all of them in the time of one. Each is awaited, also when another fails.
 * @param run - gets the transaction again; what it asks at the same time is sent at the same time
 * @example const [items, places] = await atOnce(transaction, (each) => Promise.all([listItems(each),
 *   listPlaces(each)]));
 */
export function atOnce<Tables, T>(
  transaction: Transaction<Tables>,
  run: (transaction: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const executor = transaction.getExecutor();
  return executor.provideConnection(async (connection) => {
    const together = new Together(connection);
    const database = new Kysely<Tables>({
      dialect: {
        createDriver: () => together,
        createAdapter: () => executor.adapter,
        createQueryCompiler: () => ({
          compileQuery: (node, id) => executor.compileQuery(executor.transformQuery(node, id), id),
        }),
        createIntrospector: () => transaction.introspection,
      },
    });
    try {
      return await run(database);
    } finally {
      await together.end();
    }
  });
}

const nothing = async (): Promise<void> => undefined;

/** One connection for all. A statement that came after the end would be none of the transaction any more. */
class Together implements Driver, DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #running = new Set<Promise<unknown>>();
  #isOver = false;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  init = nothing;
  beginTransaction = nothing;
  commitTransaction = nothing;
  rollbackTransaction = nothing;
  releaseConnection = nothing;
  destroy = nothing;

  async acquireConnection(): Promise<DatabaseConnection> {
    return this;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOver) throw new Error("The statements that were asked together have ended.");
    const running = this.#connection.executeQuery<R>(query);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#running);
  }
}
