import type { QueryResult } from "pg";
import { nextVersion } from "../engines/data-version.js";
import type { DatabasePlace, OpenDatabase, Turn, TurnUser } from "../engines/driver.js";
import { StorageClosed } from "../storage-closed.js";
import { EngineNotIsolated, type ConfinedLimits } from "./confined/confined-limits.js";
import { StatementEnded } from "../engines/statement-ended.js";
import type { ConnectionPool } from "./pool/connection-pool.js";
import type { PooledConnection, Session } from "./session.js";
import { WriteGate } from "./write-gate.js";

/** One schema that is open, with the gates before it for all who use it in this process. */
export class PostgresDatabase implements OpenDatabase<PostgresTurn> {
  readonly place: DatabasePlace;
  readonly #session: Session;
  readonly #pool: ConnectionPool;
  /** Before everything: a hold waits for all turns, and makes further ones wait. */
  readonly #turns = new WriteGate();
  /** Before what writes: a transaction is alone with its writes. */
  readonly #writes = new WriteGate();
  readonly #confinedLimits: ConfinedLimits;
  #version = nextVersion();

  constructor(
    pool: ConnectionPool,
    place: DatabasePlace,
    { session, confinedLimits }: { readonly session: Session; readonly confinedLimits: ConfinedLimits },
  ) {
    this.#pool = pool;
    this.place = place;
    this.#session = session;
    this.#confinedLimits = confinedLimits;
  }

  get version(): number {
    return this.#version;
  }

  async acquire({ ended, isConfined = false }: TurnUser<PostgresTurn> = {}): Promise<PostgresTurn> {
    const session = isConfined ? confinedSession(this.#session) : this.#session;
    const free = await this.#turns.enter();
    const turn: PostgresTurn = new PostgresTurn({
      connect: () => this.#pool.take(session),
      limits: isConfined ? this.#confinedLimits : undefined,
      writes: this.#writes,
      wrote: () => (this.#version = nextVersion()),
      ended: () => {
        ended?.(turn);
        free();
      },
    });
    return turn;
  }

  hold(waitLimitMs?: number): Promise<() => void> {
    return this.#turns.enterAlone(waitLimitMs);
  }

  /** Its connections serve other schemas too, and stay open. */
  async close(): Promise<void> {}
}

/** The same for a stranger. @throws {EngineNotIsolated} */
export function confinedSession(session: Session): Session {
  if (!session.login) throw new EngineNotIsolated();
  return { ...session, isConfined: true };
}

interface TurnParts {
  /** For the transactions of a stranger. */
  readonly limits: ConfinedLimits | undefined;
  connect(): Promise<PooledConnection>;
  readonly writes: WriteGate;
  wrote(): void;
  ended(): void;
}

/** The right to run statements in a schema. It has a connection while a statement or a transaction runs. */
export class PostgresTurn implements Turn {
  readonly #parts: TurnParts;
  #connection: PooledConnection | undefined;
  #endTransaction: (() => void) | undefined;
  /** The beginning of the transaction, while it has no other statement. */
  #beginning: Promise<unknown> | undefined;
  #isOver = false;
  #fault: StatementEnded | undefined;
  #idle: NodeJS.Timeout | undefined;
  #whole: NodeJS.Timeout | undefined;

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  get inTransaction(): boolean {
    return this.#endTransaction !== undefined;
  }

  /** Runs a statement. Outside of a transaction, one that writes waits until no transaction runs. */
  async run(text: string, values: readonly unknown[], kind: "reads" | "writes"): Promise<QueryResult> {
    const leave = kind === "writes" && !this.inTransaction ? await this.#parts.writes.enter() : undefined;
    clearTimeout(this.#idle);
    try {
      return await this.#send(text, values);
    } catch (fault) {
      throw this.#fault ?? fault;
    } finally {
      leave?.();
      this.#waitForNext();
      if (kind === "writes") this.#parts.wrote();
    }
  }

  /** It is sent with the first statement. */
  async begin(): Promise<void> {
    const leave = await this.#parts.writes.enterAlone();
    try {
      const beginning = (await this.#connected()).query("begin");
      if (this.#parts.limits) await beginning;
      else this.#awaitLater(beginning);
      this.#endTransaction = leave;
      this.#limit();
    } catch (fault) {
      leave();
      throw fault;
    }
  }

  #awaitLater(beginning: Promise<unknown>): void {
    beginning.catch(() => undefined);
    this.#beginning = beginning;
  }

  async #send(text: string, values?: readonly unknown[]): Promise<QueryResult> {
    const connection = await this.#connected();
    const beginning = this.#beginning;
    if (!beginning) return connection.query(text, values);
    this.#beginning = undefined;
    const running = connection.query(text, values);
    running.catch(() => undefined);
    await beginning;
    return running;
  }

  /** @throws an error when the server undid the transaction instead, since a statement of it had failed */
  async commit(): Promise<void> {
    const { command } = await this.#end("commit");
    if (command !== "COMMIT")
      throw new Error("The transaction was rolled back, because one of its statements had failed.");
  }

  async rollback(): Promise<void> {
    if (this.inTransaction && !this.#isOver) await this.#end("rollback");
  }

  /** The connection of a statement that is to be cancelled. */
  get connection(): PooledConnection | undefined {
    return this.#connection;
  }

  free(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // What is still open is rolled back with its connection.
    if (this.inTransaction) this.#connection?.end();
    else this.#connection?.free();
    this.#leave();
  }

  revoke(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection?.end();
    this.#leave();
  }

  async #end(command: "commit" | "rollback"): Promise<QueryResult> {
    try {
      return await this.#send(command);
    } catch (fault) {
      // The state of this connection is unknown.
      this.#connection?.end();
      this.#connection = undefined;
      throw fault;
    } finally {
      this.#leaveTransaction();
    }
  }

  async #connected(): Promise<PooledConnection> {
    if (this.#isOver) throw this.#fault ?? new StorageClosed();
    if (this.#connection) return this.#connection;
    const connection = await this.#parts.connect();
    // The turn may have been revoked while it waited.
    if (this.#isOver) {
      connection.free();
      throw new StorageClosed();
    }
    return (this.#connection = connection);
  }

  /**
   * A stranger may not keep a transaction open for as long as it likes: its connection, and what PostgreSQL keeps for
   * it.
   */
  #limit(): void {
    const { limits } = this.#parts;
    if (!limits) return;
    this.#whole = this.#endAfter(limits.transactionMs, "its transaction lasted");
    this.#waitForNext();
  }

  #waitForNext(): void {
    const { limits } = this.#parts;
    clearTimeout(this.#idle);
    if (limits && this.inTransaction) this.#idle = this.#endAfter(limits.idleMs, "its transaction waited for");
  }

  #endAfter(limitMs: number, what: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.#fault = new StatementEnded(`${what} ${limitMs / 1000} seconds`);
      this.revoke();
    }, limitMs);
  }

  #leaveTransaction(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#whole);
    this.#endTransaction?.();
    this.#endTransaction = undefined;
    this.#parts.wrote();
  }

  #leave(): void {
    if (this.inTransaction) this.#leaveTransaction();
    this.#parts.ended();
  }
}
