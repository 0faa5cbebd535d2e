import { existsSync } from "node:fs";
import { nextVersion } from "../engines/data-version.js";
import type { DatabasePlace, OpenDatabase, TurnUser } from "../engines/driver.js";
import { Turnstile } from "../turnstile.js";
import type { StatementProcess } from "./confined/statement-process.js";
import type { Engine } from "./engine.js";
import { databasePath } from "./database-path.js";
import { OwnTurn, RemoteTurn, type RevocableTurn, type TurnListener } from "./engine-turn.js";

export async function hasDatabaseFile(place: DatabasePlace): Promise<boolean> {
  return existsSync(databasePath(place));
}

/** One open file, with the queue of all who use it in this process: one turn at a time, as there is one connection. */
export class FileDatabase<E extends Engine = Engine> implements OpenDatabase<RevocableTurn> {
  readonly place: DatabasePlace;
  readonly engine: E;
  /** Where the statements of strangers run; undefined where they run as all do. */
  readonly #confined: StatementProcess | undefined;
  readonly #turnstile = new Turnstile();
  #version = nextVersion();

  constructor(place: DatabasePlace, engine: E, confined?: StatementProcess) {
    this.place = place;
    this.engine = engine;
    this.#confined = confined;
  }

  get version(): number {
    return this.#version;
  }

  async acquire(user?: TurnUser<RevocableTurn>): Promise<RevocableTurn> {
    const free = await this.#turnstile.enter();
    const hear: TurnListener = {
      wrote: () => (this.#version = nextVersion()),
      ended: (turn) => {
        user?.ended?.(turn);
        free();
      },
    };
    return user?.isConfined && this.#confined ? new RemoteTurn(this.#confined, hear) : new OwnTurn(this.engine, hear);
  }

  hold(waitLimitMs?: number): Promise<() => void> {
    return this.#turnstile.enter(waitLimitMs);
  }

  async close(): Promise<void> {
    await this.#confined?.close();
    this.engine.close();
  }
}
