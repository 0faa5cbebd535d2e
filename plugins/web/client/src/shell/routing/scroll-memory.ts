const patienceMs = 3000;
const ends = ["wheel", "touchstart", "keydown", "pointerdown"] as const;

/** The scroll position of each entry of the history, which is restored when the user goes back. */
export class ScrollMemory {
  readonly #kept = new Map<string, number>();

  constructor() {
    history.scrollRestoration = "manual";
  }

  keep(key: string): void {
    this.#kept.set(key, window.scrollY);
  }

  /** Waits until the page is tall enough, because lists are loaded later. Stops when the user scrolls. */
  restore(key: string): void {
    const target = this.#kept.get(key) ?? 0;
    const abort = new AbortController();
    const deadline = performance.now() + patienceMs;
    for (const end of ends)
      window.addEventListener(end, () => abort.abort(), { once: true, passive: true, signal: abort.signal });
    const attempt = (): void => {
      if (abort.signal.aborted) return;
      const reachable = document.documentElement.scrollHeight - window.innerHeight;
      window.scrollTo({ top: Math.min(target, reachable), behavior: "instant" });
      if (reachable >= target || performance.now() > deadline) abort.abort();
      else requestAnimationFrame(attempt);
    };
    requestAnimationFrame(attempt);
  }
}
