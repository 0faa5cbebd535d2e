import { html, type LitElement, type ReactiveController, type TemplateResult } from "lit";
import { card, type Card, type CardOptions } from "../covers/card.js";
import { styled } from "../styled.js";
import { alongText } from "./along-text.js";
import { nextCell } from "./roving.js";
import type { Selection } from "./selection.js";
import { VirtualRows } from "./virtual-rows.js";
import { t } from "../language/translate.js";

export interface WallOptions {
  readonly label: string;
  readonly total: number;
  /** The card at an index, or undefined while it has not arrived. */
  readonly cardAt: (index: number) => Card | undefined;
  /** Smaller, usual or larger covers. */
  readonly size?: WallSize;
  /** Lines in place of covers, one below the other. */
  readonly lines?: WallLines | undefined;
  readonly isSelected?: (index: number) => boolean;
  /** A right click, or the key for menus. */
  readonly menu?: (index: number, at: Element | { readonly x: number; readonly y: number }) => void;
}

/** How a wall is drawn as a list. */
export interface WallLines {
  readonly heightPixels: number;
  /** One line: a link that has the index as `data-index`; undefined while it has not arrived. */
  readonly draw: (index: number, options: CardOptions) => TemplateResult | undefined;
}

export type WallSize = "small" | "medium" | "large";

const captionPixels = 50;
const rowGapPixels = 20;
const scales = { small: 0.72, medium: 1, large: 1.45 } satisfies Record<WallSize, number>;

/**
 * A wall of covers as long as the list, of which only what is near the window is in the document. Arrow keys walk
 * through it. Styled by `walls`, `cards` and `covers`.
 */
export class CoverWall implements ReactiveController {
  readonly #host: LitElement;
  readonly #rows: VirtualRows;
  readonly #selection: Selection<unknown> | undefined;
  readonly #ranged: (first: number, last: number) => void;
  readonly #resized = new ResizeObserver(() => this.#measure());
  #options: WallOptions = { label: "", total: 0, cardAt: () => undefined };
  #columns = 2;
  #gapPixels = 16;
  #cellPixels = 150;
  /** Before it is, covers would be asked for in a width that is not theirs. */
  #isMeasured = false;
  #current = 0;
  #focusLater = false;
  #range = "";

  /**
   * @param ranged - Hears which stretch of the list is near the window, so that it can be fetched; `last` is not part
   * of it
   */
  constructor(host: LitElement, ranged: (first: number, last: number) => void, selection?: Selection<unknown>) {
    this.#host = host;
    this.#rows = new VirtualRows(host);
    this.#ranged = ranged;
    this.#selection = selection;
    host.addController(this);
  }

  hostConnected(): void {
    this.#resized.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#resized.disconnect();
  }

  hostUpdated(): void {
    this.#measure();
    this.#tellRange();
    if (!this.#focusLater) return;
    const cell = this.#host.renderRoot.querySelector<HTMLElement>(`a[data-index="${this.#current}"]`);
    if (!cell) return;
    this.#focusLater = false;
    cell.focus({ preventScroll: true });
  }

  /** Scrolls until what stands at an index is at the top of the window, and puts the focus on it. */
  goTo(index: number): void {
    this.#current = index;
    this.#focusLater = true;
    this.#rows.showAtTop(Math.floor(index / this.#width));
    this.#host.requestUpdate();
  }

  render(options: WallOptions): TemplateResult {
    this.#options = options;
    this.#current = Math.min(this.#current, Math.max(0, options.total - 1));
    const shape = {
      count: Math.ceil(options.total / this.#width),
      heightPixels: options.lines?.heightPixels ?? this.#rowPixels(),
      label: options.label,
      kept: Math.floor(this.#current / this.#width),
    };
    return html`<div
      class="wall${this.#selection?.isActive ? " selecting" : ""}"
      @keydown=${this.#pressed}
      @focusin=${this.#focused}
      @click=${{ handleEvent: this.#clicked, capture: true }}
      @contextmenu=${this.#menu}
      @pointerdown=${(event: PointerEvent) => this.#at(event, (index) => this.#selection?.touched(event, index))}
      @pointermove=${(event: PointerEvent) => this.#selection?.moved(event)}
      @pointerup=${() => this.#selection?.released()}
      @pointercancel=${() => this.#selection?.released()}
    >
      <i class="wall-measure" aria-hidden="true"></i>
      ${this.#rows.render(shape, (row) => this.#row(row))}
    </div>`;
  }

  /** How many stand beside each other. */
  get #width(): number {
    return this.#options.lines ? 1 : this.#columns;
  }

  #row(row: number): TemplateResult {
    const { total } = this.#options;
    const columns = this.#width;
    const first = row * columns;
    const cells = Array.from({ length: Math.min(columns, total - first) }, (_, at) => first + at);
    const place = {
      "grid-template-columns": `repeat(${columns}, minmax(0, 1fr))`,
      gap: `${this.#gapPixels}px`,
    };
    return html`<div class="wall-row" role="presentation" ${styled(place)}>
      ${cells.map((index) => html`<div role="listitem" aria-setsize=${total} aria-posinset=${index + 1}>${this.#cell(index)}</div>`)}
    </div>`;
  }

  #cell(index: number): TemplateResult {
    const { lines, cardAt, isSelected } = this.#options;
    const options = {
      index,
      tabindex: index === this.#current ? 0 : -1,
      sizes: `${Math.round(this.#cellPixels)}px`,
      isEager: index < this.#columns * 2,
      isSelected: isSelected?.(index) ?? false,
    };
    const shown = lines || !this.#isMeasured ? undefined : cardAt(index);
    const drawn = lines ? lines.draw(index, options) : shown && card(shown, options);
    return (
      drawn ??
      html`<div class="blank${lines ? " line" : ""}"><span class="hidden">${t(["kit:loading", "Loading"])}</span></div>`
    );
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (this.#selection?.pressed(event, this.#current) || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextCell(alongText(event.key), this.#current, {
      count: this.#options.total,
      columns: this.#width,
    });
    if (next === undefined) return;
    event.preventDefault();
    this.#current = next;
    this.#focusLater = true;
    this.#rows.show(Math.floor(next / this.#width));
    this.#host.requestUpdate();
  };

  readonly #clicked = (event: MouseEvent): void => {
    if (event.button === 0) this.#at(event, (index) => this.#selection?.clicked(event, index));
  };

  readonly #menu = (event: MouseEvent): void => {
    const { menu } = this.#options;
    this.#at(event, (index, cell) => {
      // A long press selects on touch screens; there the menu is in the bar of the selection.
      if (this.#selection && (event as PointerEvent).pointerType === "touch") return event.preventDefault();
      if (!menu) return;
      event.preventDefault();
      menu(index, event.button === 2 ? { x: event.clientX, y: event.clientY } : cell);
    });
  };

  readonly #focused = (event: FocusEvent): void => {
    this.#at(event, (index) => (this.#current = index));
  };

  #at(event: Event, then: (index: number, cell: HTMLElement) => void): void {
    const cell = (event.target as Element).closest<HTMLElement>("a[data-index]");
    const index = Number(cell?.dataset["index"]);
    if (cell && Number.isInteger(index)) then(index, cell);
  }

  #tellRange(): void {
    const first = this.#rows.range.first * this.#width;
    const last = Math.min(this.#options.total, this.#rows.range.last * this.#width);
    const range = `${first}-${last} of ${this.#options.total}`;
    if (range === this.#range) return;
    this.#range = range;
    this.#ranged(first, last);
  }

  #measure(): void {
    const width = this.#host.renderRoot.querySelector(".wall-measure")?.clientWidth ?? 0;
    if (width === 0) return;
    const isFirst = !this.#isMeasured;
    this.#isMeasured = true;
    const isNarrow = width < 520;
    const gap = isNarrow ? 12 : 20;
    const least =
      (isNarrow ? 98 : width > 2600 ? 232 : width > 1700 ? 184 : 148) * scales[this.#options.size ?? "medium"];
    const columns = Math.max(2, Math.floor((width + gap) / (least + gap)));
    const cell = (width - gap * (columns - 1)) / columns;
    if (!isFirst && columns === this.#columns && Math.abs(cell - this.#cellPixels) < 0.5) return;
    this.#cellPixels = cell;
    this.#gapPixels = gap;
    this.#columns = columns;
    this.#host.requestUpdate();
  }

  #rowPixels(): number {
    return Math.round(this.#cellPixels * 1.5) + captionPixels + rowGapPixels;
  }
}
