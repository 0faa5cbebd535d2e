import { randomBytes } from "node:crypto";
import type { Change } from "./event-stream.js";
import type { KeptHistory } from "./kept-history.js";

/** Where a client is in the stream, as the id of the last event that it heard says. */
export interface StreamPlace {
  readonly history: string;
  readonly position: number;
}

/**
 * The latest changes, for clients that come back. Of each domain and audience only the last is kept, so that one user's
 * many changes do not displace those of others.
 */
export class ChangeHistory {
  readonly #most: number;
  readonly #kept = new Map<string, Change>();
  /** Another one means that changes may be missing: the run before ended without saving them. */
  #id = randomBytes(4).toString("hex");
  #position = 0;
  /** The position of the newest change that cannot be replayed any more. */
  #forgotten = 0;

  constructor(most = 1024) {
    this.#most = most;
  }

  /** The present end, as it stands in the ids of events. */
  get place(): string {
    return `${this.#id}-${this.#position}`;
  }

  add(domain: string, userIds: ReadonlySet<number> | undefined): Change {
    this.#position += 1;
    const change = { position: this.#position, place: this.place, domain, userIds };
    this.#keep(change);
    return change;
  }

  /** The changes after a place, oldest first; undefined when some of them may have been forgotten. */
  since({ history, position }: StreamPlace): Change[] | undefined {
    if (history !== this.#id || position < this.#forgotten || position > this.#position) return undefined;
    return [...this.#kept.values()].filter((change) => change.position > position);
  }

  save(): KeptHistory {
    const changes = [...this.#kept.values()].map(({ position, domain, userIds }) => ({
      position,
      domain,
      ...(userIds && { userIds: [...userIds] }),
    }));
    return { id: this.#id, position: this.#position, forgotten: this.#forgotten, changes };
  }

  /** Goes on where an earlier run ended. Only before the first change. */
  resume({ id, position, forgotten, changes }: KeptHistory): void {
    this.#id = id;
    this.#position = position;
    this.#forgotten = forgotten;
    for (const { userIds, ...change } of changes)
      this.#keep({ ...change, place: `${id}-${change.position}`, userIds: userIds && new Set(userIds) });
  }

  #keep(change: Change): void {
    const key = audience(change);
    this.#kept.delete(key);
    this.#kept.set(key, change);
    if (this.#kept.size <= this.#most) return;
    const [oldest, forgotten] = this.#kept.entries().next().value!;
    this.#kept.delete(oldest);
    this.#forgotten = forgotten.position;
  }
}

function audience({ domain, userIds }: Change): string {
  if (userIds === undefined) return domain;
  return `${domain} ${[...userIds].sort((one, other) => one - other).join(" ")}`;
}
