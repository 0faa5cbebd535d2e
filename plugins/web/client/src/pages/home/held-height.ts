import type { LitElement, ReactiveController } from "lit";

/** A part counts as complete after this long without a change. */
const quietMs = 1200;

/**
 * Reserves the height that a part of the page had at the last visit in a window of the same width until it is loaded,
 * so that nothing below it moves.
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
   * @param isBusy - Whether code or answers are still being loaded; the height is reserved until they are there
   */
  constructor(host: LitElement, selector: string, isBusy: () => boolean) {
    this.#host = host;
    this.#selector = selector;
    this.#isBusy = isBusy;
    host.addController(this);
  }

  /** At the first visit the height is unknown, so the content below the part should be shown after it. */
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
