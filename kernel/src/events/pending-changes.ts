/** Domains that changed since the last announcement, and whom each change concerns. */
export class PendingChanges {
  readonly #audiences = new Map<string, Set<number> | undefined>();

  /** @param userIds - All users when left out; joined with those whom an earlier change of the domain concerned */
  add(domain: string, userIds?: readonly number[]): void {
    const concernsAll = this.#audiences.has(domain) && this.#audiences.get(domain) === undefined;
    if (userIds === undefined || concernsAll) return void this.#audiences.set(domain, undefined);
    if (userIds.length === 0) return;
    this.#audiences.set(domain, new Set([...(this.#audiences.get(domain) ?? []), ...userIds]));
  }

  take(): ReadonlyArray<readonly [domain: string, userIds: ReadonlySet<number> | undefined]> {
    const taken = [...this.#audiences];
    this.#audiences.clear();
    return taken;
  }
}
