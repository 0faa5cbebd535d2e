import { LongboxError } from "@longbox/sdk";
import type { ReadableFile } from "./driver.js";
import type { Turn, TurnSource } from "./engine-dialect.js";
import { nextVersion, type SharedDatabase, type SharedDatabases } from "./shared-databases.js";
import { translateStorageFault } from "./storage-fault.js";

/** One opening of a database: it opens the file at the first question, and can move to another file between two. */
export class DatabaseHandle implements TurnSource, ReadableFile {
  readonly #databases: SharedDatabases;
  #path: string;
  #shared: Promise<SharedDatabase> | undefined;
  /** What was opened last. */
  #opened: SharedDatabase | undefined;
  #closed = false;

  constructor(databases: SharedDatabases, path: string) {
    this.#databases = databases;
    this.#path = path;
  }

  get path(): string {
    return this.#path;
  }

  /** Another number after every write, and after every move to another file. */
  get version(): number {
    return this.#opened?.version ?? 0;
  }

  async acquire(): Promise<Turn> {
    for (;;) {
      if (this.#closed) throw new LongboxError("unavailable", "kernel/storage-closed", "The storage has been closed.");
      const opening = (this.#shared ??= this.#databases.enter(this.#path));
      const shared = await opening.catch((fault: unknown) => {
        if (this.#shared === opening) this.#shared = undefined;
        throw translateStorageFault(fault, this.#path);
      });
      const free = await shared.turnstile.enter();
      if (this.#shared === opening && !this.#closed) {
        this.#opened = shared;
        return { engine: shared.engine, wrote: () => (shared.version = nextVersion()), free };
      }
      free();
    }
  }

  async ready(): Promise<void> {
    if (!this.#shared) (await this.acquire()).free();
  }

  translate(fault: unknown): unknown {
    return translateStorageFault(fault, this.#path);
  }

  /** From now on, questions go to another file. Settles once the former one has been let go. */
  moveTo(path: string): Promise<void> {
    this.#path = path;
    return this.#leave();
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#leave();
  }

  async #leave(): Promise<void> {
    const former = await this.#takeShared()?.catch(() => undefined);
    if (former) await this.#databases.leave(former);
  }

  #takeShared(): Promise<SharedDatabase> | undefined {
    const former = this.#shared;
    this.#shared = undefined;
    this.#opened = undefined;
    return former;
  }
}
