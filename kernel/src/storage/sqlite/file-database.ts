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

/** What a file on disk needs besides its engine. */
export interface FileParts {
  /** Where the statements of strangers run. */
  readonly confined: StatementProcess;
  /** Called after a turn in which something may have been written. */
  readonly afterWriting: () => void;
  /** What {@link afterWriting} began has let go of the file. */
  readonly settled: () => Promise<void>;
}

/** One open file, with the queue of all who use it in this process: one turn at a time, as there is one connection. */
export class FileDatabase<E extends Engine = Engine> implements OpenDatabase<RevocableTurn> {
  readonly place: DatabasePlace;
  readonly engine: E;
  readonly #parts: FileParts | undefined;
  readonly #turnstile = new Turnstile();
  #version = nextVersion();

  /** @param parts - none where the statements of strangers run as all do */
  constructor(place: DatabasePlace, engine: E, parts?: FileParts) {
    this.place = place;
    this.engine = engine;
    this.#parts = parts;
  }

  get version(): number {
    return this.#version;
  }

  async acquire(user?: TurnUser<RevocableTurn>): Promise<RevocableTurn> {
    const free = await this.#turnstile.enter();
    const before = this.#version;
    const hear: TurnListener = {
      wrote: () => (this.#version = nextVersion()),
      ended: (turn) => {
        if (this.#version !== before) this.#parts?.afterWriting();
        user?.ended?.(turn);
        free();
      },
    };
    return user?.isConfined && this.#parts
      ? new RemoteTurn(this.#parts.confined, hear)
      : new OwnTurn(this.engine, hear);
  }

  hold(waitLimitMs?: number): Promise<() => void> {
    return this.#turnstile.enter(waitLimitMs);
  }

  async close(): Promise<void> {
    await this.#parts?.confined.close();
    await this.#parts?.settled();
    this.engine.close();
  }
}
