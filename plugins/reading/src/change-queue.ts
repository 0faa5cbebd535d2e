import { isLongboxError } from "@longbox/sdk";

/** What waits for the next transaction. */
interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (fault: unknown) => void;
}

/** Stores all of these or none; the outcomes are in the same order. */
export type StoreTogether<Item, Outcome> = (items: readonly Item[]) => Promise<readonly Outcome[]>;

/** Items that one transaction stores. */
const mostTogether = 250;

/**
 * Runs changes one after another, in the order of arrival. Those that can be stored together and wait at the same time
 * share a transaction: a commit waits for the disk, for a hundred of them as long as for one. Each caller is answered
 * when the transaction has been committed.
 */
export class ChangeQueue<Item, Outcome> {
  readonly #store: StoreTogether<Item, Outcome>;
  #last: Promise<unknown> = Promise.resolve();
  /** The last in the queue, if it has not begun. */
  #open: Waiting<Item, Outcome>[] | undefined;

  constructor(store: StoreTogether<Item, Outcome>) {
    this.#store = store;
  }

  /** Stores this with others. */
  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (!this.#open || this.#open.length >= mostTogether) this.#begin((this.#open = []));
      this.#open.push({ item, resolve, reject });
    });
  }

  /** Runs a change by itself. What is added later is stored after it. */
  alone<T>(change: () => Promise<T>): Promise<T> {
    this.#open = undefined;
    return this.#follow(change);
  }

  #begin(together: Waiting<Item, Outcome>[]): void {
    void this.#follow(async () => {
      // What has arrived at the server by now joins.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#open === together) this.#open = undefined;
      await this.#settle(together);
    });
  }

  #follow<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(change);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #settle(together: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#store(together.map(({ item }) => item));
      together.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome));
    } catch (fault) {
      if (together.length > 1 && !concernsAll(fault)) for (const each of together) await this.#settle([each]);
      else for (const { reject } of together) reject(fault);
    }
  }
}

const faultsOfStorage: ReadonlySet<string> = new Set(["unavailable", "storage-full", "internal"]);

/** Whether the database or the disk is at fault, and not what was to be stored. */
function concernsAll(fault: unknown): boolean {
  return isLongboxError(fault) && faultsOfStorage.has(fault.kind);
}
