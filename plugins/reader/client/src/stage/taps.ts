/** Two taps within this time are a double tap. */
const doubleTapMs = 260;

/** Tells taps from double taps: a single tap counts once no second one has followed it. */
export class Taps {
  #lastTapAt = 0;
  #pending: ReturnType<typeof setTimeout> | undefined;

  tap({ once, twice }: { once(): void; twice(): void }): void {
    clearTimeout(this.#pending);
    const now = performance.now();
    if (now - this.#lastTapAt < doubleTapMs) {
      this.#lastTapAt = 0;
      return twice();
    }
    this.#lastTapAt = now;
    this.#pending = setTimeout(once, doubleTapMs);
  }

  release(): void {
    clearTimeout(this.#pending);
  }
}
