/** Serialises the changes of each user's progress, independent of the isolation of transactions. */
export class UserTurns {
  readonly #last = new Map<number, Promise<unknown>>();

  async take<T>(userId: number, change: () => Promise<T>): Promise<T> {
    const before = this.#last.get(userId) ?? Promise.resolve();
    const turn = before.then(change, change);
    this.#last.set(userId, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(userId) === turn) this.#last.delete(userId);
    }
  }
}
