import { LRUCache } from "lru-cache";
import { Client, type QueryResult } from "pg";
import { StorageClosed } from "../../storage-closed.js";
import { endFormerConnections } from "./former-connections.js";
import { ConnectionPlaces, type PlaceLimits } from "./connection-places.js";
import { addressFor, type Login } from "../logins.js";
import { meansOutdated, meansRefused } from "../postgres-faults.js";
import { postgresParsers } from "../postgres-values.js";
import type { PooledConnection, Session } from "../session.js";
import { StatementNames } from "./statement-names.js";
import { WaitingSessions } from "./waiting-sessions.js";

const connectLimitMs = 5_000;
/** Statements that PostgreSQL keeps for a connection at once. */
const keptStatements = 100;

export interface PoolOptions extends PlaceLimits {
  /** How long {@link ConnectionPool.take} waits for a free connection. */
  readonly waitMs: number;
  /**
   * A name that only the connections of this pool have: those that have it already were left by a process that was
   * killed, and are ended. Without it, the pool leaves all others alone.
   */
  readonly ownName?: (() => Promise<string>) | undefined;
}

/**
 * The connections of a server to PostgreSQL. A connection keeps the schema it was last used for, so that a statement
 * costs no second one to set it, and the next use of the same schema gets that connection first. It never serves
 * another role than the one that signed in: what a statement changes about it, such as `set role`, leads to no others.
 */
export class ConnectionPool {
  readonly #url: string;
  readonly #ownName: (() => Promise<string>) | undefined;
  readonly #places: ConnectionPlaces;
  readonly #idle: ServerConnection[] = [];
  readonly #all = new Set<ServerConnection>();
  readonly #waiting: WaitingSessions;
  readonly #statements = new StatementNames();
  #name: Promise<string> | undefined;
  #isClosed = false;

  constructor(url: string, options: PoolOptions) {
    this.#url = url;
    this.#ownName = options.ownName;
    this.#places = new ConnectionPlaces(options);
    this.#waiting = new WaitingSessions(options.waitMs);
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
    for (const waiting of this.#waiting.takeAll()) waiting.reject(new StorageClosed());
    await Promise.all([...this.#all].map((connection) => connection.close()));
  }

  #find(session: Session): ServerConnection | Promise<ServerConnection> {
    if (this.#isClosed) throw new StorageClosed();
    const fitting = this.#idle.findLastIndex((connection) => connection.fits(session));
    if (fitting >= 0) return this.#idle.splice(fitting, 1)[0] as ServerConnection;
    const { hasRoom } = this.#places;
    // Roles share the places, so that each keeps few; but setting one up again costs as much as a statement.
    const opens = hasRoom && (!session.login || this.#places.hasFew(session.login.user));
    const own = opens ? -1 : this.#idle.findIndex((connection) => connection.isOf(session));
    if (own >= 0) return this.#idle.splice(own, 1)[0] as ServerConnection;
    if (!this.#mayOpen(session) || (!hasRoom && this.#idle.length === 0))
      return this.#waiting.wait(session) as Promise<ServerConnection>;
    if (!hasRoom) this.#idle[0]?.end();
    return this.#open(session);
  }

  #mayOpen({ login }: Session): boolean {
    return this.#places.allows(login?.user);
  }

  async #open(session: Session): Promise<ServerConnection> {
    const user = session.login?.user;
    this.#places.take(user);
    const client = await this.#connect(session.login).catch((fault: unknown) => {
      this.#places.leave(user);
      this.#serve();
      throw fault;
    });
    const connection = new ServerConnection(client, {
      user,
      statements: this.#statements,
      freed: (freed) => this.#freed(freed),
      ended: (ended) => this.#ended(ended),
    });
    this.#all.add(connection);
    if (!this.#isClosed) return connection;
    connection.end();
    throw new StorageClosed();
  }

  async #connect(login?: Login): Promise<Client> {
    this.#name ??= this.#takeName().catch((fault: unknown) => {
      this.#name = undefined;
      throw fault;
    });
    return this.#connectAs(await this.#name, login);
  }

  /** Comes before all other connections of this pool. */
  async #takeName(): Promise<string> {
    if (!this.#ownName) return connectionDefaults.application_name;
    const name = await this.#ownName();
    const client = await this.#connectAs(name);
    try {
      await endFormerConnections(client, name);
    } finally {
      await client.end();
    }
    return name;
  }

  async #connectAs(name: string, login?: Login): Promise<Client> {
    const client = new Client({
      connectionString: login ? addressFor(this.#url, login) : this.#url,
      types: postgresParsers,
      keepAlive: true,
      ...connectionDefaults,
      application_name: name,
    });
    // A connection that breaks while nothing runs on it would otherwise end the process; its next use fails.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  #freed(connection: ServerConnection): void {
    const mayOpen = (session: Session) => this.#mayOpen(session);
    // A role that waits for a place gets one in the end, though there is work for this connection.
    const isLeft = this.#waiting.hasWaited((session) => !connection.isOf(session) && mayOpen(session));
    const next = isLeft ? undefined : this.#waiting.take((session) => connection.isOf(session));
    if (next) next.resolve(connection);
    else if (isLeft || this.#waiting.has(mayOpen)) connection.end();
    else this.#idle.push(connection);
  }

  #ended(connection: ServerConnection): void {
    this.#all.delete(connection);
    this.#places.leave(connection.user);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#serve();
  }

  /** Opens connections for those who wait, as far as there is room. */
  #serve(): void {
    while (!this.#isClosed && this.#places.hasRoom) {
      const next = this.#waiting.take((session) => this.#mayOpen(session));
      if (!next) return;
      next.resolve(this.#open(next.session));
    }
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
  readonly statements: StatementNames;
  freed(connection: ServerConnection): void;
  ended(connection: ServerConnection): void;
}

class ServerConnection implements PooledConnection {
  readonly #client: Client;
  readonly #parts: ConnectionParts;
  /** The names of statements that PostgreSQL keeps for this connection. */
  readonly #kept = new LRUCache<string, true>({ max: keptStatements, dispose: (_, name) => this.#drop(name) });
  #session: Session | undefined;
  #isOver = false;
  #isSpoilt = false;

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

  async query(text: string, values: readonly unknown[] = []): Promise<QueryResult> {
    const schema = this.#session?.schema;
    const name = schema === undefined ? undefined : this.#parts.statements.find(schema, text);
    if (name === undefined) return this.#client.query(text, values as unknown[]);
    this.#kept.set(name, true);
    try {
      return await this.#client.query({ name, text, values: values as unknown[] });
    } catch (fault) {
      // A table has other columns since. Nothing was done; but a transaction is lost.
      if (!meansOutdated(fault)) throw fault;
      this.#kept.delete(name);
      if (this.#client.getTransactionStatus() !== "I") throw fault;
      return this.#client.query(text, values as unknown[]);
    }
  }

  free(): void {
    if (this.#isSpoilt) this.end();
    else if (!this.#isOver) this.#parts.freed(this);
  }

  end(): void {
    // A connection that has ended already rejects, and there is nothing left to end.
    this.close().catch(() => undefined);
  }

  #drop(name: string): void {
    if (this.#isOver) return;
    // The client has no way to say that a name is free again.
    const { parsedStatements } = (this.#client as unknown as { connection: { parsedStatements: object } }).connection;
    Reflect.deleteProperty(parsedStatements, name);
    // In a transaction that has failed, the name stays taken.
    this.#client.query(`deallocate ${quoted(name)}`).catch(() => (this.#isSpoilt = true));
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
