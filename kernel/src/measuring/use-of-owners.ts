// What plugins, and the kernel itself, have used since the server started.

/** What one owner, `kernel` or a plugin, has used. */
export interface Used {
  /** Requests that its routes answered. */
  requests: number;
  /** Of these, answers with a status of 500 or more. */
  failures: number;
  /** Until the answers began, all together. */
  requestSeconds: number;
  /** Queries to its tables, from wherever. */
  queries: number;
  /** While they ran, all together, without the time that they waited for a transaction to end. */
  querySeconds: number;
}

/** Counts on the path of every request and every query. */
export class UseOfOwners {
  readonly #used = new Map<string, Used>();

  answered(owner: string, status: number, milliseconds: number): void {
    const used = this.of(owner);
    used.requests += 1;
    used.requestSeconds += milliseconds / 1000;
    if (status >= 500) used.failures += 1;
  }

  queried(owner: string, milliseconds: number): void {
    const used = this.of(owner);
    used.queries += 1;
    used.querySeconds += milliseconds / 1000;
  }

  of(owner: string): Used {
    let used = this.#used.get(owner);
    if (!used)
      this.#used.set(owner, (used = { requests: 0, failures: 0, requestSeconds: 0, queries: 0, querySeconds: 0 }));
    return used;
  }

  /** By owner, in the order of the alphabet. */
  all(): readonly (readonly [string, Readonly<Used>])[] {
    return [...this.#used].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
