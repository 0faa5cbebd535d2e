import type { StorageDriver } from "./driver.js";
import type { Engine } from "./engine.js";
import { Turnstile } from "./turnstile.js";

/** One open file, with the queue of all who use it in this process. */
export interface SharedDatabase {
  readonly path: string;
  readonly engine: Engine;
  readonly turnstile: Turnstile;
  /** Another number after every write, which no other database ever had. */
  version: number;
}

let versions = 0;

/** A number that has not been given before. */
export function nextVersion(): number {
  return ++versions;
}

interface Entry {
  readonly opening: Promise<SharedDatabase>;
  users: number;
}

/** Keeps one connection for each database file, however many hold it open. */
export class SharedDatabases {
  readonly #driver: StorageDriver;
  readonly #entries = new Map<string, Entry>();

  constructor(driver: StorageDriver) {
    this.#driver = driver;
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  async enter(path: string): Promise<SharedDatabase> {
    const entry = this.#entries.get(path) ?? this.#open(path);
    entry.users += 1;
    try {
      return await entry.opening;
    } catch (fault) {
      entry.users -= 1;
      if (this.#entries.get(path) === entry) this.#entries.delete(path);
      throw fault;
    }
  }

  /** Closes the file once the last user has left and every turn has been taken. */
  async leave(shared: SharedDatabase): Promise<void> {
    const entry = this.#entries.get(shared.path);
    if (!entry || (await entry.opening) !== shared) return;
    entry.users -= 1;
    if (entry.users > 0) return;
    const free = await shared.turnstile.enter();
    try {
      if (entry.users > 0) return;
      this.#entries.delete(shared.path);
      shared.engine.close();
    } finally {
      free();
    }
  }

  #open(path: string): Entry {
    const opening = this.#driver.open(path).then((engine) => ({ path, engine, turnstile: new Turnstile(), version: nextVersion() }));
    const entry = { opening, users: 0 };
    this.#entries.set(path, entry);
    return entry;
  }
}
