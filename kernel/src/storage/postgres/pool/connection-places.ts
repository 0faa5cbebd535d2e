/** Whose a connection is. */
export interface Occupant {
  /** Who signs in on it; undefined for the role of the server's address. */
  readonly user: string | undefined;
  /** Its statements are those of a stranger. */
  readonly isConfined: boolean;
}

/** A connection for what writes, and one for what only reads. */
const few = 2;

export interface PlaceLimits {
  /** Connections of all roles. */
  readonly connections: number;
  /** Connections of one role that signs in by itself. */
  readonly ofRole: number;
  /** Connections of one stranger. */
  readonly ofConfined: number;
  /** Connections of all strangers. */
  readonly confined: number;
}

/**
 * How many connections there are, and of whom. A role that signs in by itself has some of the places at most. Many
 * questions of one plugin would otherwise take all, and each question of another plugin a new connection. Strangers
 * have fewer, and some of the places all together, so that they never keep the others waiting.
 */
export class ConnectionPlaces {
  readonly #limits: PlaceLimits;
  readonly #taken = new Map<string, number>();
  #all = 0;
  #confined = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get hasRoom(): boolean {
    return this.#all < this.#limits.connections;
  }

  /** Whether strangers may have another connection. */
  get hasRoomForConfined(): boolean {
    return this.#confined < this.#limits.confined;
  }

  /**
   * Whether there may be another connection of this kind, as soon as there is room.
   * @param leaving - who would give a place up for it
   */
  allows(occupant: Occupant, leaving?: Occupant): boolean {
    const { user, isConfined } = occupant;
    if (user === undefined) return true;
    if (!isConfined) return this.#of(occupant) < this.#limits.ofRole;
    const left = leaving?.isConfined === true ? 1 : 0;
    return this.#of(occupant) < this.#limits.ofConfined && this.#confined - left < this.#limits.confined;
  }

  /** Whether this role has as few as it needs to read and write in turns. */
  hasFew(occupant: Occupant): boolean {
    return this.#of(occupant) < few;
  }

  take(occupant: Occupant): void {
    this.#change(occupant, 1);
  }

  leave(occupant: Occupant): void {
    this.#change(occupant, -1);
  }

  #change(occupant: Occupant, by: 1 | -1): void {
    this.#all += by;
    if (occupant.isConfined) this.#confined += by;
    this.#taken.set(keyOf(occupant), this.#of(occupant) + by);
  }

  #of(occupant: Occupant): number {
    return this.#taken.get(keyOf(occupant)) ?? 0;
  }
}

const keyOf = ({ user = "", isConfined }: Occupant): string => `${isConfined ? "confined" : "own"} ${user}`;
