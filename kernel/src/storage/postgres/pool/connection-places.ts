/** Who signs in on a connection; undefined for the role of the server's address. */
type User = string | undefined;

/** A connection for what writes, and one for what only reads. */
const few = 2;

export interface PlaceLimits {
  /** Connections of all roles. */
  readonly connections: number;
  /** Connections of one role that signs in by itself. */
  readonly ofRole: number;
}

/**
 * How many connections there are, and of whom. A role that signs in by itself has some of the places at most. Many
 * questions of one plugin would otherwise take all, and each question of another plugin a new connection.
 */
export class ConnectionPlaces {
  readonly #limits: PlaceLimits;
  readonly #taken = new Map<User, number>();
  #all = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get hasRoom(): boolean {
    return this.#all < this.#limits.connections;
  }

  /** Whether this role may have another connection, as soon as there is room. */
  allows(user: User): boolean {
    return user === undefined || this.#of(user) < this.#limits.ofRole;
  }

  /** Whether this role has as few as it needs to read and write in turns. */
  hasFew(user: User): boolean {
    return this.#of(user) < few;
  }

  take(user: User): void {
    this.#all += 1;
    this.#taken.set(user, this.#of(user) + 1);
  }

  leave(user: User): void {
    this.#all -= 1;
    this.#taken.set(user, this.#of(user) - 1);
  }

  #of(user: User): number {
    return this.#taken.get(user) ?? 0;
  }
}
