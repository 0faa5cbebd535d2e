import { Client } from "pg";
import { StorageClosed } from "../../storage-closed.js";
import { endFormerConnections } from "./former-connections.js";
import type { ConfinedLimits } from "../confined/confined-limits.js";
import { addressFor, type Login } from "../logins.js";
import { meansRefused } from "../postgres-faults.js";
import { postgresParsers } from "../postgres-values.js";
import type { PooledConnection, Session } from "../session.js";
import { ConnectionPlaces, type Occupant, type PlaceLimits } from "./connection-places.js";
import { occupantOf, ServerConnection } from "./server-connection.js";
import { StatementNames } from "./statement-names.js";
import { WaitingSessions } from "./waiting-sessions.js";

const connectLimitMs = 5_000;

export interface PoolOptions extends PlaceLimits {
  /** How long {@link ConnectionPool.take} waits for a free connection. */
  readonly waitMs: number;
  /**
   * A name that only the connections of this pool have: those that have it already were left by a process that was
   * killed, and are ended. Without it, the pool leaves all others alone.
   */
  readonly confinedLimits: ConfinedLimits;
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
  readonly #statements = new StatementNames("longbox");
  /** Strangers cannot push the statements of others out of those that are known. */
  readonly #confinedStatements = new StatementNames("confined");
  readonly #confinedLimits: ConfinedLimits;
  #name: Promise<string> | undefined;
  #isClosed = false;

  constructor(url: string, options: PoolOptions) {
    this.#url = url;
    this.#ownName = options.ownName;
    this.#confinedLimits = options.confinedLimits;
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

  /** PostgreSQL goes on with a statement, and keeps its locks, until it has an answer to send. */
  async #terminate({ processId, occupant }: ServerConnection): Promise<void> {
    try {
      const client = await this.#connect();
      await client
        .query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where pid = $1 and usename = coalesce($2, current_user) and datname = current_database()`,
          [processId, occupant.user],
        )
        .finally(() => client.end());
    } catch {
      // A server that does not answer has ended the connection, or will.
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
    for (const connection of this.#idle.filter(({ occupant }) => occupant.user === user)) connection.end();
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
    const occupant = occupantOf(session);
    const { hasRoom } = this.#places;
    // Roles share the places, so that each keeps few; but setting one up again costs as much as a statement.
    const opens = hasRoom && (!session.login || this.#places.hasFew(occupant));
    const own = opens ? -1 : this.#idle.findIndex((connection) => connection.isOf(session));
    if (own >= 0) return this.#idle.splice(own, 1)[0] as ServerConnection;
    const given = this.#idleInPlaceOf(occupant);
    if (given === "none") return this.#waiting.wait(session) as Promise<ServerConnection>;
    given?.end();
    return this.#open(session);
  }

  /** The idle connection that has to be ended before such a one may be opened; undefined where none has to be. */
  #idleInPlaceOf(occupant: Occupant): ServerConnection | "none" | undefined {
    const { hasRoom, hasRoomForConfined } = this.#places;
    if (hasRoom && this.#places.allows(occupant)) return undefined;
    const isCrowded = occupant.isConfined && !hasRoomForConfined;
    const idle = this.#idle.find((each) => !isCrowded || each.occupant.isConfined);
    return idle && this.#places.allows(occupant, idle.occupant) ? idle : "none";
  }

  #mayOpen(session: Session, leaving?: Occupant): boolean {
    return this.#places.allows(occupantOf(session), leaving);
  }

  async #open(session: Session): Promise<ServerConnection> {
    const occupant = occupantOf(session);
    this.#places.take(occupant);
    const client = await this.#connect(session.login).catch((fault: unknown) => {
      this.#places.leave(occupant);
      this.#serve();
      throw fault;
    });
    const connection = new ServerConnection(client, {
      occupant,
      statements: occupant.isConfined ? this.#confinedStatements : this.#statements,
      confined: this.#confinedLimits,
      freed: (freed) => this.#freed(freed),
      ended: (ended, isBusy) => this.#ended(ended, isBusy),
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
      // Statements that are asked at the same time are sent at the same time.
      pipeline: true,
      ...connectionDefaults,
      application_name: name,
    });
    // A connection that breaks while nothing runs on it would otherwise end the process; its next use fails.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  #freed(connection: ServerConnection): void {
    const mayOpen = (session: Session) => this.#mayOpen(session, connection.occupant);
    // A role that waits for a place gets one in the end, though there is work for this connection.
    const isLeft = this.#waiting.hasWaited((session) => !connection.isOf(session) && mayOpen(session));
    const next = isLeft ? undefined : this.#waiting.take((session) => connection.isOf(session));
    if (next) next.resolve(connection);
    else if (isLeft || this.#waiting.has(mayOpen)) connection.end();
    else this.#idle.push(connection);
  }

  #ended(connection: ServerConnection, isBusy: boolean): void {
    if (isBusy && !this.#isClosed) void this.#terminate(connection);
    this.#all.delete(connection);
    this.#places.leave(connection.occupant);
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

/** Whether the server of this address lets a connection in. */
export async function postgresAnswers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, ...connectionDefaults });
  client.on("error", () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
