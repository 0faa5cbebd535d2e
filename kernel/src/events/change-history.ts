import type { Change } from "./event-stream.js";

/**
 * The latest changes, for clients that come back. Of each domain and audience only the last is kept, so that one user's
 * many changes do not displace those of others.
 */
export class ChangeHistory {
  readonly #most: number;
  readonly #kept = new Map<string, Change>();
  /** The id of the newest change that cannot be replayed any more. */
  #forgotten: number;

  /** @param firstId - The id before the first change of this run */
  constructor(firstId: number, most = 1024) {
    this.#forgotten = firstId;
    this.#most = most;
  }

  add(change: Change): void {
    const key = audience(change);
    this.#kept.delete(key);
    this.#kept.set(key, change);
    if (this.#kept.size <= this.#most) return;
    const [oldest, forgotten] = this.#kept.entries().next().value!;
    this.#kept.delete(oldest);
    this.#forgotten = forgotten.id;
  }

  /** The changes after an id, oldest first; undefined when some of them may have been forgotten. */
  since(id: number): Change[] | undefined {
    if (!(id >= this.#forgotten)) return undefined;
    return [...this.#kept.values()].filter((change) => change.id > id);
  }
}

function audience({ domain, userIds }: Change): string {
  if (userIds === undefined) return domain;
  return `${domain} ${[...userIds].sort((one, other) => one - other).join(" ")}`;
}
