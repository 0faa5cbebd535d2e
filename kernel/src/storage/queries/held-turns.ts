import type { Kysely } from "kysely";
import { LongboxError } from "@longbox/sdk";
import { statement } from "./running-queries.js";

/** How a transaction ends, or what is done with one of its savepoints. */
export type TurnCommand = "commit" | "rollback" | "savepoint" | "rollback-to" | "release";

interface Turn {
  readonly database: Kysely<any>;
  /** Gives the connection back. */
  readonly free: () => void;
  readonly freed: Promise<unknown>;
}

const mostTurns = 32;

/** Transactions that another process holds open, each with the connection that it holds. */
export class HeldTurns {
  readonly #turns = new Map<number, Turn>();
  #next = 1;
  #isReleased = false;

  async begin(database: Kysely<any>): Promise<number> {
    if (this.#turns.size >= mostTurns)
      throw new LongboxError(
        "unavailable",
        "kernel/isolated-overloaded",
        `More than ${mostTurns} transactions wait at once.`,
      );
    const turn = await hold(database);
    const number = this.#next;
    this.#next += 1;
    this.#turns.set(number, turn);
    if (this.#isReleased) await this.#end(number, "rollback");
    return number;
  }

  get(number: number): Kysely<any> {
    return this.#turn(number).database;
  }

  async command(number: number, command: TurnCommand, savepoint = ""): Promise<void> {
    if (command === "commit" || command === "rollback") return this.#end(number, command);
    const name = `"${savepoint.replaceAll('"', '""')}"`;
    const words = { savepoint: "savepoint", "rollback-to": "rollback to", release: "release" };
    await run(this.get(number), `${words[command]} ${name}`);
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await Promise.all([...this.#turns.keys()].map((number) => this.#end(number, "rollback")));
  }

  async #end(number: number, command: "commit" | "rollback"): Promise<void> {
    const { database, free, freed } = this.#turn(number);
    this.#turns.delete(number);
    try {
      await run(database, command);
    } finally {
      free();
      await freed;
    }
  }

  #turn(number: number): Turn {
    const turn = this.#turns.get(number);
    if (!turn) throw new Error("The transaction has ended.");
    return turn;
  }
}

async function hold(database: Kysely<any>): Promise<Turn> {
  const held = Promise.withResolvers<Kysely<any>>();
  const { promise: until, resolve: free } = Promise.withResolvers<void>();
  const freed = database.connection().execute(async (connection) => {
    await run(connection, "begin");
    held.resolve(connection);
    await until;
  });
  // A connection that cannot be had is told to the one who waits for it.
  freed.catch(held.reject);
  return { database: await held.promise, free, freed: freed.catch(() => undefined) };
}

const run = (database: Kysely<any>, text: string) => database.executeQuery(statement(text));
