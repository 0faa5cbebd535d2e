import { Client, type ClientConfig, type QueryResult } from "pg";
import { LongboxError } from "@longbox/sdk";
import { StorageClosed } from "../storage-closed.js";
import { postgresParsers } from "./postgres-values.js";

/** How a connection is set up for one user: the schema it works in, and whether it may write. */
export interface Session {
  readonly schema: string;
  readonly access: "reading" | "writing";
}

/** A connection that one caller has for itself until it gives it back. */
export interface PooledConnection {
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  /** Gives it back for the next caller. */
  free(): void;
  /** Ends it, with the statement that runs on it and whatever was begun; the next caller gets another one. */
  end(): void;
}

interface Waiting {
  readonly session: Session;
  resolve(connection: PooledConnection): void;
  reject(fault: unknown): void;
}

const connectLimitMs = 5_000;

/**
 * The connections of a server to PostgreSQL. A connection keeps the schema it was last used for, so that a statement
 * costs no second one to set it, and the next use of the same schema gets that connection first.
 */
export class ConnectionPool {
  readonly #config: ClientConfig;
  readonly #limits: { readonly connections: number; readonly waitMs: number };
  readonly #idle: ServerConnection[] = [];
  readonly #all = new Set<ServerConnection>();
  readonly #waiting: Waiting[] = [];
  #connecting = 0;
  #isClosed = false;

  constructor(url: string, limits: { readonly connections: number; readonly waitMs: number }) {
    this.#config = { connectionString: url, types: postgresParsers, keepAlive: true, ...connectionDefaults };
    this.#limits = limits;
  }

  /**
   * A connection that is set up for this session.
   * @throws {LongboxError} `kernel/database-busy` when none was free within the limit
   */
  async take(session: Session): Promise<PooledConnection> {
    const connection = await this.#find(session);
    try {
      await connection.become(session);
      return connection;
    } catch (fault) {
      connection.end();
      throw fault;
    }
  }

  /** Ends the statement that a connection runs; its caller is told that it was cancelled. */
  async cancel(connection: PooledConnection): Promise<void> {
    const { processId } = connection as ServerConnection;
    if (processId === undefined) return;
    const client = await this.#connect();
    try {
      await client.query("select pg_cancel_backend($1)", [processId]);
    } finally {
      await client.end();
    }
  }

  async release(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new StorageClosed());
    await Promise.all([...this.#all].map((connection) => connection.close()));
  }

  #find(session: Session): ServerConnection | Promise<ServerConnection> {
    if (this.#isClosed) throw new StorageClosed();
    const fitting = this.#idle.findLastIndex((connection) => connection.fits(session));
    const hasRoom = this.#all.size + this.#connecting < this.#limits.connections;
    if (fitting >= 0 || (!hasRoom && this.#idle.length > 0))
      return this.#idle.splice(Math.max(fitting, 0), 1)[0] as ServerConnection;
    if (hasRoom) return this.#open();
    return this.#wait(session) as Promise<ServerConnection>;
  }

  #wait(session: Session): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(
          new LongboxError(
            "unavailable",
            "kernel/database-busy",
            `The database was busy for ${this.#limits.waitMs / 1000} seconds. Inside a transaction, use only the transaction.`,
          ),
        );
      }, this.#limits.waitMs);
      limit.unref();
      const settled = () => clearTimeout(limit);
      const waiting: Waiting = {
        session,
        resolve: (connection) => (settled(), resolve(connection)),
        reject: (fault) => (settled(), reject(fault)),
      };
      this.#waiting.push(waiting);
    });
  }

  async #open(): Promise<ServerConnection> {
    this.#connecting += 1;
    try {
      const connection = new ServerConnection(await this.#connect(), {
        freed: (freed) => this.#freed(freed),
        ended: (ended) => this.#ended(ended),
      });
      if (this.#isClosed) {
        connection.end();
        throw new StorageClosed();
      }
      this.#all.add(connection);
      return connection;
    } catch (fault) {
      // There is room for those who wait, and they shall learn why there is no connection.
      this.#waiting.shift()?.reject(fault);
      throw fault;
    } finally {
      this.#connecting -= 1;
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client(this.#config);
    // A connection that breaks while nothing runs on it would otherwise end the process; its next use fails.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  #freed(connection: ServerConnection): void {
    const next = this.#waiting.shift();
    if (next) next.resolve(connection);
    else this.#idle.push(connection);
  }

  #ended(connection: ServerConnection): void {
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    const next = this.#isClosed ? undefined : this.#waiting.shift();
    if (next) this.#open().then(next.resolve, next.reject);
  }
}

const connectionDefaults = {
  application_name: "longbox",
  connectionTimeoutMillis: connectLimitMs,
  options: "-c synchronous_commit=on -c timezone=UTC -c statement_timeout=0 -c extra_float_digits=1",
} as const;

interface ConnectionEvents {
  freed(connection: ServerConnection): void;
  ended(connection: ServerConnection): void;
}

class ServerConnection implements PooledConnection {
  readonly #client: Client;
  readonly #events: ConnectionEvents;
  #session: Session | undefined;
  #isOver = false;

  constructor(client: Client, events: ConnectionEvents) {
    this.#client = client;
    this.#events = events;
    client.once("error", () => this.end());
    client.once("end", () => this.end());
  }

  get processId(): number | undefined {
    return (this.#client as { processID?: number }).processID;
  }

  fits({ schema, access }: Session): boolean {
    return this.#session?.schema === schema && this.#session.access === access;
  }

  async become(session: Session): Promise<void> {
    if (this.fits(session)) return;
    this.#session = undefined;
    const isReading = session.access === "reading" ? "on" : "off";
    await this.query(
      "select set_config('search_path', $1, false), set_config('default_transaction_read_only', $2, false)",
      [quoted(session.schema), isReading],
    );
    this.#session = session;
  }

  query(text: string, values: readonly unknown[] = []): Promise<QueryResult> {
    return this.#client.query(text, values as unknown[]);
  }

  free(): void {
    if (!this.#isOver) this.#events.freed(this);
  }

  end(): void {
    // A connection that has ended already rejects, and there is nothing left to end.
    this.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.ended(this);
    await this.#client.end();
  }
}

/** Whether the server of this address lets a connection in. */
export async function postgresAnswers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, ...connectionDefaults });
  client.on("error", () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

/** A name as PostgreSQL takes it literally. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
