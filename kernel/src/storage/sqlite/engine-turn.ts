import type { Turn } from "../engines/driver.js";
import { StorageClosed } from "../storage-closed.js";
import type { Engine } from "./engine.js";

/** What a statement needs of the turn in which it runs. */
export interface EngineTurn {
  readonly engine: Engine;
  /** Something may have been written. */
  wrote(): void;
  free(): void;
}

/** The right to use an engine. It can be taken back from a holder that does not end it. */
export class RevocableTurn implements EngineTurn, Turn {
  readonly #engine: Engine;
  readonly #wrote: () => void;
  readonly #ended: () => void;
  #over = false;

  constructor(engine: Engine, hear: { wrote(): void; ended(turn: RevocableTurn): void }) {
    this.#engine = engine;
    this.#wrote = () => hear.wrote();
    this.#ended = () => hear.ended(this);
  }

  /** @throws {StorageClosed} */
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
