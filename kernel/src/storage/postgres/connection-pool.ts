import { Client, type QueryResult } from "pg";
import { LongboxError } from "@longbox/sdk";
import { StorageClosed } from "../storage-closed.js";
import type { Login } from "./logins.js";
import { addressFor } from "./logins.js";
import { meansRefused } from "./postgres-faults.js";
import { postgresParsers } from "./postgres-values.js";

/** How a connection is set up for one user: who signs in, the schema it works in, and whether it may write. */
export interface Session {
  /** The role whose connections these are; without one it is that of the server's address. */
  readonly login?: Login | undefined;
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
 * costs no second one to set it, and the next use of the same schema gets that connection first. It never serves
 * another role than the one that signed in: what a statement changes about it, such as `set role`, leads to no others.
 */
export class ConnectionPool {
  readonly #url: string;
  readonly #limits: { readonly connections: number; readonly waitMs: number };
  readonly #idle: ServerConnection[] = [];
  readonly #all = new Set<ServerConnection>();
  readonly #waiting: Waiting[] = [];
  #connecting = 0;
  #isClosed = false;

  constructor(url: string, limits: { readonly connections: number; readonly waitMs: number }) {
    this.#url = url;
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

  /** Whether the server lets this role in. @throws when the server does not answer */
  async letsIn(login: Login): Promise<boolean> {
    try {
      await (await this.#connect(login)).end();
      return true;
    } catch (fault) {
      if (meansRefused(fault)) return false;
      throw fault;
    }
  }

  /** Ends the connections of a role that nothing uses. */
  forget({ user }: Login): void {
    for (const connection of this.#idle.filter((each) => each.user === user)) connection.end();
  }

  async release(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new StorageClosed());
    await Promise.all([...this.#all].map((connection) => connection.close()));
  }

  #find(session: Session): ServerConnection | Promise<ServerConnection> {
    if (this.#isClosed) throw new StorageClosed();
    const fitting = this.#idle.findLastIndex((connection) => connection.fits(session));
    if (fitting >= 0) return this.#idle.splice(fitting, 1)[0] as ServerConnection;
    const hasRoom = this.#all.size + this.#connecting < this.#limits.connections;
    // Roles share the places, so that each keeps few.
    const own = hasRoom && !session.login ? -1 : this.#idle.findIndex((connection) => connection.isOf(session));
    if (own >= 0) return this.#idle.splice(own, 1)[0] as ServerConnection;
    if (!hasRoom && this.#idle.length === 0) return this.#wait(session) as Promise<ServerConnection>;
    if (!hasRoom) this.#idle[0]?.end();
    return this.#open(session);
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

  async #open({ login }: Session): Promise<ServerConnection> {
    this.#connecting += 1;
    try {
      const connection = new ServerConnection(await this.#connect(login), {
        user: login?.user,
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

  async #connect(login?: Login): Promise<Client> {
    const client = new Client({
      connectionString: login ? addressFor(this.#url, login) : this.#url,
      types: postgresParsers,
      keepAlive: true,
      ...connectionDefaults,
    });
    // A connection that breaks while nothing runs on it would otherwise end the process; its next use fails.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  #freed(connection: ServerConnection): void {
    const next = this.#waiting[0];
    if (!next) this.#idle.push(connection);
    // Its end makes room for the one that waits.
    else if (!connection.isOf(next.session)) connection.end();
    else {
      this.#waiting.shift();
      next.resolve(connection);
    }
  }

  #ended(connection: ServerConnection): void {
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    const next = this.#isClosed ? undefined : this.#waiting.shift();
    if (next) this.#open(next.session).then(next.resolve, next.reject);
  }
}

export const connectionDefaults = {
  application_name: "longbox",
  connectionTimeoutMillis: connectLimitMs,
  options:
    "-c synchronous_commit=on -c timezone=UTC -c statement_timeout=0 -c extra_float_digits=1 -c row_security=off",
} as const;

interface ConnectionParts {
  readonly user: string | undefined;
  freed(connection: ServerConnection): void;
  ended(connection: ServerConnection): void;
}

class ServerConnection implements PooledConnection {
  readonly #client: Client;
  readonly #parts: ConnectionParts;
  #session: Session | undefined;
  #isOver = false;

  constructor(client: Client, parts: ConnectionParts) {
    this.#client = client;
    this.#parts = parts;
    client.once("error", () => this.end());
    client.once("end", () => this.end());
  }

  get processId(): number | undefined {
    return (this.#client as { processID?: number }).processID;
  }

  get user(): string | undefined {
    return this.#parts.user;
  }

  isOf({ login }: Session): boolean {
    return this.user === login?.user;
  }

  fits(session: Session): boolean {
    const { schema, access } = session;
    return this.isOf(session) && this.#session?.schema === schema && this.#session.access === access;
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
    if (!this.#isOver) this.#parts.freed(this);
  }

  end(): void {
    // A connection that has ended already rejects, and there is nothing left to end.
    this.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.ended(this);
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
