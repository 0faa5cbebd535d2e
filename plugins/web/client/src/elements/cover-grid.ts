import { defaultRangeExtractor, WindowVirtualizerController, type Range } from "@tanstack/lit-virtual";
import { css, html, LitElement, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { base } from "../styles/index.js";
import { cardStyles, cardTemplate, type Card } from "./cover-card.js";
import { nextCell } from "./roving.js";
import { styled } from "./styled.js";

const captionHeight = 56;
const rowGap = 20;

/** A wall of covers as long as the library, of which only what can be seen is in the document. */
@customElement("lb-cover-grid")
export class CoverGrid extends LitElement {
  @property({ type: Number }) total = 0;
  /** The card at an index, or undefined while it has not arrived. */
  @property({ attribute: false }) cardAt: (index: number) => Card | undefined = () => undefined;
  @property() label = "";
  @state() private columns = 1;
  @state() private current = 0;
  private cellWidth = 150;
  private gap = 16;

  readonly #virtual = new WindowVirtualizerController(this, { count: 0, estimateSize: () => this.#rowHeight(), overscan: 3, rangeExtractor: (range) => this.#rows(range) });
  readonly #resized = new ResizeObserver(() => this.#measure());
  #focusLater = false;
  #range = "";

  static override styles = [
    base,
    cardStyles,
    css`
      :host {
        display: block;
      }
      .wall {
        position: relative;
        width: 100%;
      }
      .line {
        position: absolute;
        inset: 0 0 auto;
        display: grid;
      }
      .blank {
        aspect-ratio: 2 / 3;
        border-radius: var(--lb-radius-s);
        background: color-mix(in oklab, var(--lb-line) 55%, transparent);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
    this.#measure();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("total")) this.current = Math.min(this.current, Math.max(0, this.total - 1));
    const virtual = this.#virtual.getVirtualizer();
    const count = Math.ceil(this.total / this.columns);
    const scrollMargin = this.#top();
    if (virtual.options.count === count && virtual.options.scrollMargin === scrollMargin) return;
    virtual.setOptions({ ...virtual.options, count, scrollMargin });
    virtual.measure();
  }

  override render() {
    const virtual = this.#virtual.getVirtualizer();
    const lines = virtual.getVirtualItems();
    const margin = virtual.options.scrollMargin;
    return html`<div class="wall" role="list" aria-label=${this.label} ${styled({ height: `${virtual.getTotalSize()}px` })} @keydown=${this.#key} @focusin=${this.#focused}>
      ${repeat(lines, (line) => line.index, (line) => this.#line(line.index, line.start - margin))}
    </div>`;
  }

  override updated(): void {
    this.#tellRange();
    if (!this.#focusLater) return;
    const cell = this.renderRoot.querySelector<HTMLElement>(`a[data-index="${this.current}"]`);
    if (!cell) return;
    this.#focusLater = false;
    cell.focus({ preventScroll: true });
  }

  #line(row: number, top: number) {
    const first = row * this.columns;
    const cells = Array.from({ length: Math.min(this.columns, this.total - first) }, (_, at) => first + at);
    const place = { transform: `translateY(${top}px)`, "grid-template-columns": `repeat(${this.columns}, minmax(0, 1fr))`, gap: `${this.gap}px` };
    return html`<div class="line" role="presentation" ${styled(place)}>
      ${cells.map((index) => html`<div role="listitem" aria-setsize=${this.total} aria-posinset=${index + 1}>${this.#cell(index)}</div>`)}
    </div>`;
  }

  #cell(index: number) {
    const card = this.cardAt(index);
    if (!card) return html`<div class="blank" aria-label="Loading"></div>`;
    return cardTemplate(card, { index, tabindex: index === this.current ? 0 : -1, sizes: `${Math.round(this.cellWidth)}px`, eager: index < this.columns * 2 });
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextCell(event.key, this.current, this.total, this.columns);
    if (next === undefined) return;
    event.preventDefault();
    this.current = next;
    this.#focusLater = true;
    this.#show(Math.floor(next / this.columns));
    this.requestUpdate();
  }

  /** Bars stand over the top and the foot of the window: the row must be clear of both. */
  #show(row: number): void {
    const top = this.getBoundingClientRect().top + row * this.#rowHeight();
    const room = 96;
    if (top < room) window.scrollBy({ top: top - room, behavior: "instant" });
    else if (top + this.#rowHeight() > window.innerHeight - room) window.scrollBy({ top: top + this.#rowHeight() - window.innerHeight + room, behavior: "instant" });
  }

  #focused(event: FocusEvent): void {
    const index = Number((event.target as HTMLElement).dataset.index);
    if (Number.isInteger(index)) this.current = index;
  }

  /** The rows near the window, and the one that has the focus, so that it is not lost when that scrolls away. */
  #rows(range: Range): number[] {
    const near = defaultRangeExtractor(range);
    const focused = Math.floor(this.current / this.columns);
    return near.includes(focused) || focused >= range.count ? near : [...near, focused].sort((a, b) => a - b);
  }

  #tellRange(): void {
    const virtual = this.#virtual.getVirtualizer();
    const near = virtual.range ? defaultRangeExtractor({ ...virtual.range, overscan: virtual.options.overscan, count: virtual.options.count }) : [];
    const first = (near[0] ?? 0) * this.columns;
    const last = Math.min(this.total, ((near.at(-1) ?? -1) + 1) * this.columns);
    const range = `${first}-${last}`;
    if (range === this.#range) return;
    this.#range = range;
    this.dispatchEvent(new CustomEvent("range", { detail: { first, last } }));
  }

  #measure(): void {
    const width = this.clientWidth;
    if (width === 0) return;
    const narrow = width < 520;
    this.gap = narrow ? 12 : 20;
    const least = narrow ? 98 : width > 2600 ? 232 : width > 1700 ? 184 : 148;
    const columns = Math.max(2, Math.floor((width + this.gap) / (least + this.gap)));
    const cellWidth = (width - this.gap * (columns - 1)) / columns;
    if (columns === this.columns && Math.abs(cellWidth - this.cellWidth) < 0.5) return;
    this.cellWidth = cellWidth;
    this.columns = columns;
    this.#virtual.getVirtualizer().measure();
    this.requestUpdate();
  }

  #rowHeight(): number {
    return Math.round(this.cellWidth * 1.5) + captionHeight + rowGap;
  }

  #top(): number {
    return this.getBoundingClientRect().top + window.scrollY;
  }
}
