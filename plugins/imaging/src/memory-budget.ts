interface Waiting {
  readonly bytes: number;
  start(): void;
}

/** Lets pieces of work run at once for as long as what they need fits into so many bytes; the others wait in the order of their coming. */
export class MemoryBudget {
  readonly bytes: number;
  readonly #waiting: Waiting[] = [];
  #used = 0;

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /** @param bytes - At most all of the budget, or the work would wait for ever. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    await this.#enter(bytes);
    try {
      return await work();
    } finally {
      this.#used -= bytes;
      this.#startNext();
    }
  }

  #enter(bytes: number): Promise<void> {
    return new Promise((start) => {
      this.#waiting.push({ bytes, start });
      this.#startNext();
    });
  }

  /** The first one waits for room, and the others behind it, so that a large image is not passed over for ever. */
  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#used + next.bytes <= this.bytes; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.bytes;
      next.start();
    }
  }
}
