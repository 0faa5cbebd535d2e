import { existsSync } from "node:fs";
import { nextVersion } from "../engines/data-version.js";
import type { DatabasePlace, OpenDatabase, TurnUser } from "../engines/driver.js";
import { Turnstile } from "../turnstile.js";
import type { Engine } from "./engine.js";
import { databasePath } from "./database-path.js";
import { RevocableTurn } from "./engine-turn.js";

export async function hasDatabaseFile(place: DatabasePlace): Promise<boolean> {
  return existsSync(databasePath(place));
}

/** One open file, with the queue of all who use it in this process: one turn at a time, as there is one connection. */
export class FileDatabase<E extends Engine = Engine> implements OpenDatabase<RevocableTurn> {
  readonly place: DatabasePlace;
  readonly engine: E;
  readonly #turnstile = new Turnstile();
  #version = nextVersion();

  constructor(place: DatabasePlace, engine: E) {
    this.place = place;
    this.engine = engine;
  }

  get version(): number {
    return this.#version;
  }

  async acquire(user?: TurnUser<RevocableTurn>): Promise<RevocableTurn> {
    const free = await this.#turnstile.enter();
    return new RevocableTurn(this.engine, {
      wrote: () => (this.#version = nextVersion()),
      ended: (turn) => {
        user?.ended?.(turn);
        free();
      },
    });
  }

  hold(waitLimitMs?: number): Promise<() => void> {
    return this.#turnstile.enter(waitLimitMs);
  }

  async close(): Promise<void> {
    this.engine.close();
  }
}
