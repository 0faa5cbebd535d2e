import type { DatabasePlace, OpenDatabase, StorageDriver } from "./driver.js";

interface Entry {
  readonly opening: Promise<OpenDatabase>;
  users: number;
}

/** Keeps one open database for each place, however many use it. */
export class SharedDatabases {
  readonly #driver: StorageDriver;
  readonly #entries = new Map<string, Entry>();

  constructor(driver: StorageDriver) {
    this.#driver = driver;
  }

  /** Whether it is open, or was kept before. */
  async exists(place: DatabasePlace): Promise<boolean> {
    return this.#entries.has(place.folder) || (await this.#driver.exists(place));
  }

  async enter(place: DatabasePlace): Promise<OpenDatabase> {
    const entry = this.#entries.get(place.folder) ?? this.#open(place);
    entry.users += 1;
    try {
      return await entry.opening;
    } catch (fault) {
      entry.users -= 1;
      if (this.#entries.get(place.folder) === entry) this.#entries.delete(place.folder);
      throw fault;
    }
  }

  /** Closes the database once the last user has left and every turn has been taken. */
  async leave(database: OpenDatabase): Promise<void> {
    const entry = this.#entries.get(database.place.folder);
    if (!entry || (await entry.opening) !== database) return;
    entry.users -= 1;
    if (entry.users > 0) return;
    const free = await database.hold();
    try {
      if (entry.users > 0) return;
      this.#entries.delete(database.place.folder);
      await database.close();
    } finally {
      free();
    }
  }

  #open(place: DatabasePlace): Entry {
    const entry = { opening: this.#driver.open(place), users: 0 };
    this.#entries.set(place.folder, entry);
    return entry;
  }
}
