import { LRUCache } from "lru-cache";
import type { Client, QueryConfig, QueryResult } from "pg";
import type { ConfinedLimits } from "../confined/confined-limits.js";
import { meansOutdated } from "../postgres-faults.js";
import { quoted } from "../quoted.js";
import type { PooledConnection, Session } from "../session.js";
import { ConfinedUse } from "../confined/confined-use.js";
import type { Occupant } from "./connection-places.js";
import type { StatementNames } from "./statement-names.js";

/** Statements that PostgreSQL keeps for a connection at once. */
const keptStatements = 100;

/** The part of node-postgres' connection that is its socket. */
interface Wire {
  readonly stream: { destroy(): void };
}

/** Who occupies a connection of such a session. */
export function occupantOf({ login, isConfined = false }: Session): Occupant {
  return { user: login?.user, isConfined };
}

interface ConnectionParts {
  readonly occupant: Occupant;
  readonly statements: StatementNames;
  readonly confined: ConfinedLimits;
  freed(connection: ServerConnection): void;
  /** @param isBusy - whether a statement runs on it */
  ended(connection: ServerConnection, isBusy: boolean): void;
}

/** A connection of the pool. */
export class ServerConnection implements PooledConnection {
  readonly #client: Client;
  readonly #parts: ConnectionParts;
  /** The names of statements that PostgreSQL keeps for this connection. */
  readonly #kept = new LRUCache<string, true>({ max: keptStatements, dispose: (_, name) => this.#drop(name) });
  readonly #confined: ConfinedUse | undefined;
  #session: Session | undefined;
  #running = 0;
  #isOver = false;
  #isSpoilt = false;

  constructor(client: Client, parts: ConnectionParts) {
    this.#client = client;
    this.#parts = parts;
    if (parts.occupant.isConfined) this.#confined = new ConfinedUse(client, parts.confined, () => this.end());
    client.once("error", () => this.end());
    client.once("end", () => this.end());
  }

  get processId(): number | undefined {
    return (this.#client as { processID?: number }).processID;
  }

  get occupant(): Occupant {
    return this.#parts.occupant;
  }

  isOf(session: Session): boolean {
    const [{ user, isConfined }, other] = [this.occupant, occupantOf(session)];
    return user === other.user && isConfined === other.isConfined;
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

  async query(text: string, values?: readonly unknown[]): Promise<QueryResult> {
    this.#running += 1;
    try {
      const run = () => this.#send(text, values);
      return await (this.#confined ? this.#confined.watch(run) : run());
    } finally {
      this.#running -= 1;
    }
  }

  async #send(text: string, values: readonly unknown[] | undefined): Promise<QueryResult> {
    const schema = this.#session?.schema;
    const name = schema === undefined ? undefined : this.#parts.statements.find(schema, text);
    if (name === undefined) return this.#sendUnnamed(text, values);
    this.#kept.set(name, true);
    try {
      return await this.#client.query({ name, text, values: (values ?? []) as unknown[] });
    } catch (fault) {
      // A table has other columns since. Nothing was done; but a transaction is lost.
      if (!meansOutdated(fault)) throw fault;
      this.#kept.delete(name);
      if (this.#client.getTransactionStatus() !== "I") throw fault;
      return this.#sendUnnamed(text, values);
    }
  }

  #sendUnnamed(text: string, values: readonly unknown[] | undefined): Promise<QueryResult> {
    if (values === undefined) return this.#client.query(text);
    // By itself, the client would send a text without values in the way that allows several statements.
    const query: QueryConfig & { queryMode: "extended" } = { text, values: values as unknown[], queryMode: "extended" };
    return this.#client.query(query);
  }

  free(): void {
    if (this.#isSpoilt) this.end();
    else if (this.#isOver) return;
    else if (this.#confined && this.#session) this.#freeCleaned(this.#confined, this.#session);
    else this.#parts.freed(this);
  }

  #freeCleaned(confined: ConfinedUse, session: Session): void {
    confined.clean(session).then(
      () => (this.#isOver || this.#isSpoilt ? this.end() : this.#parts.freed(this)),
      () => this.end(),
    );
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
    this.#parts.ended(this, this.#running > 0);
    // The client would wait for what runs.
    if (this.#running > 0) (this.#client as unknown as { connection: Wire }).connection.stream.destroy();
    await this.#client.end();
  }
}
