import type { LitElement, ReactiveController } from "lit";

/** After this long without a change, what is there has arrived. */
const quietMs = 1200;

/**
 * Holds the height that a part of the page had at the last visit in a window as wide, until it is there again, so that
 * nothing below it moves when it arrives.
 */
export class HeldHeight implements ReactiveController {
  readonly #host: LitElement;
  readonly #selector: string;
  readonly #resized = new ResizeObserver(() => this.#wait());
  #part: HTMLElement | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #isBusy: () => boolean;

  /**
   * @param selector - Of the part, in what the host draws
   * @param isBusy - Whether code or answers are under way: however slow they are, they are waited for
   */
  constructor(host: LitElement, selector: string, isBusy: () => boolean) {
    this.#host = host;
    this.#selector = selector;
    this.#isBusy = isBusy;
    host.addController(this);
  }

  /** At the first visit nothing is known, so what stands below the part should wait until it is. */
  get isKnown(): boolean {
    return localStorage.getItem(this.#key) !== null;
  }

  hostConnected(): void {}

  hostUpdated(): void {
    const part = this.#host.renderRoot.querySelector<HTMLElement>(this.#selector) ?? undefined;
    if (part === this.#part || !part) return;
    this.#part = part;
    if (this.isKnown) part.style.setProperty("min-height", `${localStorage.getItem(this.#key)}px`);
    this.#wait();
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#resized.disconnect();
    this.#part = undefined;
  }

  get #key(): string {
    return `longbox.height ${this.#selector} ${Math.round(window.innerWidth / 40)}`;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    for (const child of this.#part?.children ?? []) this.#resized.observe(child);
    this.#timer = setTimeout(() => this.#keep(), quietMs);
  }

  #keep(): void {
    if (!this.#part) return;
    if (this.#isBusy()) return this.#wait();
    const wasKnown = this.isKnown;
    const top = this.#part.getBoundingClientRect().top;
    const height = (this.#part.lastElementChild?.getBoundingClientRect().bottom ?? top) - top;
    localStorage.setItem(this.#key, String(Math.round(height)));
    this.#part.style.removeProperty("min-height");
    if (!wasKnown) this.#host.requestUpdate();
  }
}
