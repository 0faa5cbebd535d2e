/** Lets one piece of work go after the other, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Settles once everything that has asked for a turn so far has had it. */
  async quiet(): Promise<void> {
    await this.#last;
  }
}
