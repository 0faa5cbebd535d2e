type Urgency = "now" | "ahead";
type Work = (urgency: Urgency, signal: AbortSignal) => Promise<string>;

interface Making {
  readonly made: Promise<string>;
  readonly stop: AbortController;
  readonly urgency: Urgency;
  waiting: number;
}

/**
 * Pages that are being rendered. All requests for the same page share one rendering, which is cancelled when the last
 * is gone.
 */
export class PageMakings {
  readonly #running = new Map<string, Making>();

  /**
   * The path of what `work` makes. A rendering in advance that has not started is replaced by one that a request waits
   * for.
   * @throws the signal's reason when it aborts, and whatever the work throws
   */
  async join(
    name: string,
    { urgency, signal }: { readonly urgency: Urgency; readonly signal: AbortSignal | undefined },
    work: Work,
  ): Promise<string> {
    signal?.throwIfAborted();
    const running = this.#running.get(name);
    if (running && (running.stop.signal.aborted || (running.urgency === "ahead" && urgency === "now"))) {
      running.stop.abort();
      // It may have been made before the abort reached it; a failure is that of the rendering that is replaced.
      const path = await running.made.catch(() => undefined);
      return path ?? this.join(name, { urgency, signal }, work);
    }
    return this.#wait(running ?? this.#start(name, urgency, work), signal);
  }

  #start(name: string, urgency: Urgency, work: Work): Making {
    const stop = new AbortController();
    const made = work(urgency, stop.signal).finally(() => this.#running.delete(name));
    // Each request that waits gets the failure; after the last has left, it concerns no request.
    made.catch(() => undefined);
    const making: Making = { made, stop, urgency, waiting: 0 };
    this.#running.set(name, making);
    return making;
  }

  async #wait(making: Making, signal: AbortSignal | undefined): Promise<string> {
    making.waiting++;
    const left = Promise.withResolvers<never>();
    const leave = () => {
      making.waiting--;
      if (making.waiting === 0) making.stop.abort();
      left.reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([making.made, left.promise]);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }
}
