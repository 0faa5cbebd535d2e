import type { Client, QueryResult } from "pg";
import { StatementEnded } from "../../engines/statement-ended.js";
import type { ConfinedLimits } from "./confined-limits.js";
import { quoted } from "../quoted.js";
import type { Session } from "../session.js";

/** The parts of node-postgres' connection that carry what the server sends. */
interface Wire {
  readonly stream: { on(event: "data", listener: (piece: Uint8Array) => void): void };
  on(event: "dataRow", listener: () => void): void;
}

/** Watches what a stranger's statement takes up, and leaves nothing of the stranger on the connection. */
export class ConfinedUse {
  readonly #client: Client;
  readonly #limits: ConfinedLimits;
  readonly #breakOff: () => void;
  #bytes = 0;
  #rows = 0;
  #isRunning = false;
  #fault: StatementEnded | undefined;

  /** @param breakOff - ends the connection, on the server too */
  constructor(client: Client, limits: ConfinedLimits, breakOff: () => void) {
    this.#client = client;
    this.#limits = limits;
    this.#breakOff = breakOff;
    const wire = (client as unknown as { readonly connection: Wire }).connection;
    wire.stream.on("data", (piece) => this.#count(piece.byteLength, 0));
    wire.on("dataRow", () => this.#count(0, 1));
  }

  /** @throws {StatementEnded} */
  async watch(run: () => Promise<QueryResult>): Promise<QueryResult> {
    const { statementMs } = this.#limits;
    [this.#bytes, this.#rows, this.#isRunning] = [0, 0, true];
    const limit = setTimeout(() => this.#end(`it ran for ${statementMs / 1000} seconds`), statementMs);
    try {
      return await run();
    } catch (fault) {
      throw this.#fault ?? fault;
    } finally {
      clearTimeout(limit);
      this.#isRunning = false;
    }
  }

  /**
   * Takes back all that statements can change about a connection, except the statements that the pool keeps.
   * @throws an error when something remains
   */
  async clean(session: Session): Promise<void> {
    if (this.#client.getTransactionStatus() !== "I") throw new Error("A transaction is open.");
    await this.#client.query(cleaningFor(session));
  }

  #count(bytes: number, rows: number): void {
    if (!this.#isRunning) return;
    this.#bytes += bytes;
    this.#rows += rows;
    const { resultBytes, resultRows } = this.#limits;
    if (this.#bytes > resultBytes) this.#end(`its result has more than ${resultBytes} bytes`);
    else if (this.#rows > resultRows) this.#end(`its result has more than ${resultRows} rows`);
  }

  #end(reason: string): void {
    if (this.#fault) return;
    this.#fault = new StatementEnded(reason);
    this.#breakOff();
  }
}

const cleaningFor = ({ schema, access }: Session): string =>
  [
    "reset session authorization",
    "reset role",
    "reset all",
    `set search_path = ${quoted(schema)}`,
    `set default_transaction_read_only = ${access === "reading" ? "on" : "off"}`,
    "select pg_advisory_unlock_all()",
    "close all",
    "unlisten *",
    "discard temporary",
    "discard sequences",
  ].join("; ");
