import type { OwnerStorage } from "./owner-storage.js";
import type { DatabasePlace, OpenDatabase } from "../engines/driver.js";
import type { SharedDatabases } from "../engines/shared-databases.js";

/** A pause of writes: `release` ends it, and does nothing the second time. */
export interface Hold {
  /** The open database, when there is one. */
  readonly shared: OpenDatabase | undefined;
  release(): Promise<void>;
}

/** The open storages by owner, and pausing their writes. */
export class OpenStorages {
  readonly #databases: SharedDatabases;
  readonly #byOwner = new Map<string, Set<OwnerStorage>>();

  constructor(databases: SharedDatabases) {
    this.#databases = databases;
  }

  of(owner: string): OwnerStorage[] {
    return [...(this.#byOwner.get(owner) ?? [])];
  }

  all(): OwnerStorage[] {
    return [...this.#byOwner.keys()].flatMap((owner) => this.of(owner));
  }

  add(owner: string, storage: OwnerStorage): void {
    const storages = this.#byOwner.get(owner) ?? new Set();
    this.#byOwner.set(owner, storages.add(storage));
  }

  remove(owner: string, storage: OwnerStorage): void {
    this.#byOwner.get(owner)?.delete(storage);
  }

  /** Makes everything that is open of an owner, but `like`, go on with the data in another folder. */
  async move(owner: string, folder: string, like?: OwnerStorage): Promise<void> {
    for (const storage of this.of(owner)) if (storage !== like) await storage.moveTo(folder, like);
  }

  /**
   * Pauses writes to an owner's database and documents.
   * @throws {LongboxError} `kernel/database-busy` when it is not free within the limit
   */
  async hold(owner: string, folder: string, waitLimitMs?: number): Promise<Hold> {
    return this.#hold({ owner, folder }, this.of(owner), waitLimitMs);
  }

  /** Opens the database of a state that no storage uses. */
  borrow(owner: string, folder: string): Promise<Hold> {
    return this.#hold({ owner, folder }, []);
  }

  async #hold(place: DatabasePlace, storages: readonly OwnerStorage[], waitLimitMs?: number): Promise<Hold> {
    const frees: Array<() => void> = [];
    let shared: OpenDatabase | undefined;
    let released = false;
    const release = async () => {
      if (released) return;
      released = true;
      for (const free of frees) free();
      if (shared) await this.#databases.leave(shared);
    };
    try {
      for (const storage of storages) frees.push(await storage.holdDocuments(waitLimitMs));
      if (!(await this.#databases.exists(place))) return { shared, release };
      shared = await this.#databases.enter(place);
      frees.push(await shared.hold(waitLimitMs));
      return { shared, release };
    } catch (fault) {
      await release();
      throw fault;
    }
  }
}
