/** The rights of a role. There is one live object for each role, so that open streams follow a change at once. */
export class Rights {
  #keys: ReadonlySet<string> | "all";

  constructor(keys: ReadonlySet<string> | "all") {
    this.#keys = keys;
  }

  has(permission: string): boolean {
    return this.#keys === "all" || this.#keys.has(permission);
  }

  /** The keys as the current-user document shows them: `["*"]` for everything. */
  list(): string[] {
    return this.#keys === "all" ? ["*"] : [...this.#keys].sort();
  }

  replace(keys: ReadonlySet<string> | "all"): void {
    this.#keys = keys;
  }

  /** Whether every right of the other is one of these. */
  covers(other: Rights): boolean {
    if (this.#keys === "all") return true;
    return other.#keys !== "all" && [...other.#keys].every((key) => this.has(key));
  }
}
