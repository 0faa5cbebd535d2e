import type { DatabasePlace, OpenDatabase, ReadableDatabase, StorageDriver, Turn, TurnSource } from "./driver.js";
import type { SharedDatabases } from "./shared-databases.js";
import type { Refusals } from "../refusals.js";

/** One opening of a database: it opens it at the first question, and can move to another place between two. */
export class DatabaseHandle implements TurnSource<Turn>, ReadableDatabase {
  readonly #driver: StorageDriver;
  readonly #databases: SharedDatabases;
  #place: DatabasePlace;
  #shared: Promise<OpenDatabase> | undefined;
  /** What was opened last. */
  #opened: OpenDatabase | undefined;
  readonly #turns = new Set<Turn>();
  readonly reads = new Set<{ end(): void }>();
  readonly #refusals: Refusals;
  #closed = false;
  #isConfined = false;
  #readsApart = false;

  constructor(
    driver: StorageDriver,
    databases: SharedDatabases,
    { place, refusals }: { readonly place: DatabasePlace; readonly refusals: Refusals },
  ) {
    this.#driver = driver;
    this.#databases = databases;
    this.#place = place;
    this.#refusals = refusals;
  }

  get place(): DatabasePlace {
    return this.#place;
  }

  /** Another number after every write, and after every move to another place. */
  get version(): number {
    return this.#opened?.version ?? 0;
  }

  async acquire(): Promise<Turn> {
    for (;;) {
      if (this.#closed) this.#refusals.refuse();
      const opening = (this.#shared ??= this.#databases.enter(this.#place));
      const shared = await opening.catch((fault: unknown) => {
        if (this.#shared === opening) this.#shared = undefined;
        throw this.translate(fault);
      });
      const turn = await shared.acquire({
        isConfined: this.#isConfined,
        ended: (ended) => this.#turns.delete(ended),
      });
      if (this.#shared === opening && !this.#closed) {
        this.#opened = shared;
        this.#turns.add(turn);
        return turn;
      }
      turn.free();
    }
  }

  async ready(): Promise<void> {
    if (!this.#shared) (await this.acquire()).free();
  }

  translate(fault: unknown): unknown {
    return this.#driver.translate(fault, this.#place);
  }

  /** From now on, questions go to another place. Settles once the former one has been let go. */
  moveTo(place: DatabasePlace): Promise<void> {
    this.#place = place;
    return this.#leave();
  }

  get isConfined(): boolean {
    return this.#isConfined;
  }

  /** From now on, the statements are those of a stranger. */
  confine(): void {
    this.#isConfined = true;
  }

  get readsApart(): boolean {
    return this.#isConfined || this.#readsApart;
  }

  readApart(): void {
    this.#readsApart = true;
  }

  /** Revokes every turn that has not ended, and ends what is read beside them. */
  revokeTurns(): void {
    for (const turn of this.#turns) turn.revoke();
    for (const read of this.reads) read.end();
  }

  /** Revokes every turn that has not ended, because its holder may never release it, and ends what is read. */
  close(): Promise<void> {
    this.#closed = true;
    this.revokeTurns();
    return this.#leave();
  }

  async #leave(): Promise<void> {
    // A database that could not be opened has nothing to leave.
    const former = await this.#takeShared()?.catch(() => undefined);
    if (former) await this.#databases.leave(former);
  }

  #takeShared(): Promise<OpenDatabase> | undefined {
    const former = this.#shared;
    this.#shared = undefined;
    this.#opened = undefined;
    return former;
  }
}
