/** Runs the work on one subject in turn, independent of the isolation of transactions. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(subject) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(subject, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(subject) === turn) this.#last.delete(subject);
    }
  }
}
