import { isLongboxError, type Logger } from "@longbox/sdk";
import { nameOf, type PageRenderings, type Rendering } from "./page-renderings.js";

/** The most pages that wait to be prepared: for a reader who turns pages quickly, earlier ones are useless. */
const mostWaiting = 24;
/**
 * Names of the renderings that were requested last: the next page requests most of them again. Older ones may have left
 * the cache.
 */
const mostRemembered = 200;

/** Renders the next pages while this one is read: one after the other, the latest request first. */
export class PreparedPages {
  readonly #renderings: PageRenderings;
  readonly #signal: AbortSignal;
  readonly #log: Logger;
  readonly #waiting = new Map<string, Rendering>();
  readonly #known = new Set<string>();
  #working = false;

  constructor(renderings: PageRenderings, signal: AbortSignal, log: Logger) {
    this.#renderings = renderings;
    this.#signal = signal;
    this.#log = log;
  }

  /** Asks for the `count` pages that follow, of `pages` in all. */
  follow(rendering: Rendering, pages: number, count: number): void {
    const last = Math.min(pages - 1, rendering.page + count);
    for (let page = last; page > rendering.page; page--) this.#want({ ...rendering, page });
    while (this.#waiting.size > mostWaiting) this.#waiting.delete(this.#waiting.keys().next().value!);
    if (!this.#working) void this.#work();
  }

  #want(rendering: Rendering): void {
    const name = nameOf(rendering);
    if (this.#known.has(name)) return;
    this.#waiting.delete(name);
    this.#waiting.set(name, rendering);
  }

  async #work(): Promise<void> {
    this.#working = true;
    try {
      while (this.#waiting.size > 0 && !this.#signal.aborted) {
        const [name, rendering] = [...this.#waiting].at(-1)!;
        this.#waiting.delete(name);
        this.#remember(name);
        await this.#prepare(rendering);
      }
    } finally {
      this.#working = false;
    }
  }

  async #prepare(rendering: Rendering): Promise<void> {
    try {
      await this.#renderings.prepare(rendering, this.#signal);
    } catch (problem) {
      // No request waits for this page yet; a later request for it gets the error. One that is requested meanwhile is
      // rendered for that request, and what was begun for it in advance is given up.
      if (!this.#signal.aborted && !isLongboxError(problem) && !isGivenUp(problem))
        this.#log.warn("a page could not be prepared", {
          issueId: rendering.issueId,
          page: rendering.page,
          problem: String(problem),
        });
    }
  }

  #remember(name: string): void {
    this.#known.add(name);
    if (this.#known.size > mostRemembered) this.#known.delete(this.#known.values().next().value!);
  }
}

const isGivenUp = (problem: unknown) => problem instanceof Error && problem.name === "AbortError";
