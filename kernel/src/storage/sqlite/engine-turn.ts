import type { Turn } from "../engines/driver.js";
import { StorageClosed } from "../storage-closed.js";
import type { Engine, RemoteEngine } from "./engine.js";

/** What a statement needs of the turn in which it runs. */
export interface EngineTurn {
  /** @throws {StorageClosed} */
  readonly engine: Engine | RemoteEngine;
  /** Something may have been written. */
  wrote(): void;
  free(): void;
}

/** The right to use an engine. It can be taken back from a holder that does not end it. */
export type RevocableTurn = EngineTurn & Turn;

/** Who hears of a turn. */
export interface TurnListener {
  wrote(): void;
  ended(turn: RevocableTurn): void;
}

/** On an engine of this process. */
export class OwnTurn implements RevocableTurn {
  readonly #engine: Engine;
  readonly #wrote: () => void;
  readonly #ended: () => void;
  #over = false;

  constructor(engine: Engine, hear: TurnListener) {
    this.#engine = engine;
    this.#wrote = () => hear.wrote();
    this.#ended = () => hear.ended(this);
  }

  get engine(): Engine {
    if (this.#over) throw new StorageClosed();
    return this.#engine;
  }

  wrote(): void {
    this.#wrote();
  }

  free(): void {
    if (this.#over) return;
    this.#over = true;
    this.#ended();
  }

  revoke(): void {
    if (this.#over) return;
    try {
      if (this.#engine.inTransaction) this.#engine.run("rollback", []);
      // A migration may have been stopped while it had them off.
      this.#engine.run("pragma foreign_keys = on", []);
    } finally {
      this.wrote();
      this.free();
    }
  }
}

/** On an engine of another process, which ends with a turn that is taken back. */
export class RemoteTurn implements RevocableTurn {
  readonly #engine: RemoteEngine;
  readonly #hear: TurnListener;
  #over = false;

  constructor(engine: RemoteEngine, hear: TurnListener) {
    this.#engine = engine;
    this.#hear = hear;
  }

  get engine(): RemoteEngine {
    if (this.#over) throw new StorageClosed();
    return this.#engine;
  }

  wrote(): void {
    this.#hear.wrote();
  }

  free(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#engine.inTransaction) this.#engine.end(new StorageClosed());
    this.#hear.ended(this);
  }

  revoke(): void {
    if (this.#over) return;
    this.#engine.end(new StorageClosed());
    this.wrote();
    this.free();
  }
}
