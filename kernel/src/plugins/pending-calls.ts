/** Calls that are under way and can all be refused at once, so that none hangs when the other side goes away. */
export class PendingCalls {
  readonly #refusals = new Set<(reason: unknown) => void>();

  /** Settles as the work does, or is refused before that. Holds nothing once settled. */
  track<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#refusals.add(reject);
      const settle = <A>(then: (value: A) => void) => (value: A) => {
        this.#refusals.delete(reject);
        then(value);
      };
      Promise.resolve().then(work).then(settle(resolve), settle(reject));
    });
  }

  refuseAll(reason: unknown): void {
    const refusals = [...this.#refusals];
    this.#refusals.clear();
    for (const refuse of refusals) refuse(reason);
  }

  get size(): number {
    return this.#refusals.size;
  }
}
