import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { styled } from "../styled.js";

export interface RowsShape {
  readonly count: number;
  /** In CSS pixels; all rows are of one height. */
  readonly heightPixels: number;
  readonly label: string;
  /** A row that stays in the document wherever the window is, such as the one that has the focus. */
  readonly kept?: number;
}

/** Rows beyond the window, on each side. */
const overscan = 3;
/** The bars at the top and the foot of the window, in CSS pixels. */
const room = 96;

/**
 * A list as long as it likes, of which only the rows near the window are in the document; the window scrolls. Looks as
 * `rows` says. Its rows are of one height, so that any place can be found without drawing what lies before it.
 */
export class VirtualRows implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #box = createRef<HTMLElement>();
  #shape: RowsShape = { count: 0, heightPixels: 1, label: "" };
  #first = 0;
  #last = 0;
  #frame: number | undefined;
  readonly #look = (): void => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      if (this.#moved()) this.#host.requestUpdate();
    });
  };

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The first row that is drawn, and the one after the last. */
  get range(): { readonly first: number; readonly last: number } {
    return { first: this.#first, last: this.#last };
  }

  hostConnected(): void {
    window.addEventListener("scroll", this.#look, { passive: true });
    window.addEventListener("resize", this.#look);
  }

  /** Only now is the list in the document, and its place known. */
  hostUpdated(): void {
    if (this.#moved()) this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    window.removeEventListener("scroll", this.#look);
    window.removeEventListener("resize", this.#look);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  render(shape: RowsShape, row: (index: number) => unknown): TemplateResult {
    this.#shape = shape;
    this.#moved();
    const { count, heightPixels, label } = shape;
    return html`<div
      class="rows"
      role="list"
      aria-label=${label}
      ${ref(this.#box)}
      ${styled({ height: `${count * heightPixels}px` })}
    >
      ${repeat(
        this.#shown(),
        (index) => index,
        (index) =>
          html`<div
            class="row-line"
            role="presentation"
            ${styled({ transform: `translateY(${index * heightPixels}px)`, height: `${heightPixels}px` })}
          >
            ${row(index)}
          </div>`,
      )}
    </div>`;
  }

  /** Scrolls until a row is clear of the bars at the top and the foot of the window. */
  show(row: number): void {
    const { heightPixels } = this.#shape;
    const top = (this.#box.value?.getBoundingClientRect().top ?? 0) + row * heightPixels;
    const below = top + heightPixels - window.innerHeight + room;
    if (top < room) window.scrollBy({ top: top - room, behavior: "instant" });
    else if (below > 0) window.scrollBy({ top: below, behavior: "instant" });
  }

  /** Scrolls until a row is the first below the bar at the top of the window. */
  showAtTop(row: number): void {
    const top = (this.#box.value?.getBoundingClientRect().top ?? 0) + row * this.#shape.heightPixels;
    window.scrollBy({ top: top - room, behavior: "instant" });
  }

  #shown(): number[] {
    const { kept, count } = this.#shape;
    const rows = Array.from({ length: this.#last - this.#first }, (_, at) => this.#first + at);
    if (kept === undefined || kept >= count || (kept >= this.#first && kept < this.#last)) return rows;
    return kept < this.#first ? [kept, ...rows] : [...rows, kept];
  }

  /** Reads where the window is. @returns whether other rows are near it now */
  #moved(): boolean {
    const { count, heightPixels } = this.#shape;
    const top = this.#box.value?.getBoundingClientRect().top ?? 0;
    const at = Math.floor(-top / heightPixels);
    const first = Math.max(0, Math.min(count, at - overscan));
    const last = Math.max(first, Math.min(count, at + Math.ceil(window.innerHeight / heightPixels) + 1 + overscan));
    const isOther = first !== this.#first || last !== this.#last;
    this.#first = first;
    this.#last = last;
    return isOther;
  }
}
