import type { ControlledTransaction, Kysely } from "kysely";
import { LongboxError } from "@longbox/sdk";

/** How a transaction ends, or what is done with one of its savepoints. */
export type TurnCommand = "commit" | "rollback" | "savepoint" | "rollback-to" | "release";

const mostTurns = 32;

/** Transactions that another process holds open, each with the connection that it holds. */
export class HeldTurns {
  readonly #turns = new Map<number, ControlledTransaction<any, string[]>>();
  #next = 1;
  #isReleased = false;

  async begin(database: Kysely<any>): Promise<number> {
    if (this.#turns.size >= mostTurns)
      throw new LongboxError(
        "unavailable",
        "kernel/isolated-overloaded",
        `More than ${mostTurns} transactions are waiting.`,
      );
    const number = this.#next;
    this.#next += 1;
    const transaction: ControlledTransaction<any, any> = await database.startTransaction().execute();
    this.#turns.set(number, transaction);
    if (this.#isReleased) await this.#end(number, "rollback");
    return number;
  }

  get(number: number): Kysely<any> {
    return this.#turn(number);
  }

  async command(number: number, command: TurnCommand, savepoint = ""): Promise<void> {
    const transaction = this.#turn(number);
    if (command === "commit" || command === "rollback") return this.#end(number, command);
    if (command === "savepoint") await transaction.savepoint(savepoint).execute();
    else if (command === "rollback-to") await transaction.rollbackToSavepoint(savepoint).execute();
    else await transaction.releaseSavepoint(savepoint).execute();
  }

  /** Call it once the turns of the database were revoked: a statement that still runs would have to end first. */
  async release(): Promise<void> {
    this.#isReleased = true;
    const ending = [...this.#turns.keys()].map((number) => this.#end(number, "rollback"));
    // One that was revoked has been rolled back.
    await Promise.allSettled(ending);
  }

  async #end(number: number, command: "commit" | "rollback"): Promise<void> {
    const transaction = this.#turn(number);
    this.#turns.delete(number);
    if (command === "rollback") return transaction.rollback().execute();
    try {
      await transaction.commit().execute();
    } catch (fault) {
      // Otherwise it would keep its connection. What the commit said is what counts.
      if (!transaction.isRolledBack)
        await transaction
          .rollback()
          .execute()
          .catch(() => undefined);
      throw fault;
    }
  }

  #turn(number: number): ControlledTransaction<any, string[]> {
    const turn = this.#turns.get(number);
    if (!turn) throw new Error("The transaction has ended.");
    return turn;
  }
}
