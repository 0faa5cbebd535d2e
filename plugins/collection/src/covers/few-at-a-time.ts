/** Runs a limited number of tasks at a time; the others wait in the order of arrival. */
export class FewAtATime {
  readonly #waiting: Array<() => void> = [];
  #running = 0;

  constructor(private readonly most: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.most) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed over, so that no later arrival can take it.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
