import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Fit } from "@longbox/reader/api";
import { usualAspect } from "./fitting.js";
import { keptWidth, type PageImages } from "./page-images.js";
import { pageTrouble } from "./page-trouble.js";
import { turnedAspect, turnImage, type Rotation } from "./rotation.js";
import { stripStyle } from "./strip-style.js";
import { tapZoneAt, type TapLayout } from "./tap-zones.js";
import { crossing, wantedPages } from "./strip-window.js";

/** The width of the strip where it does not fill the window. */
const readableWidth = 860;
/** The line, from the top of the window, that the page being read crosses. */
const readingLine = 0.4;

/**
 * Shows all pages below each other. Dispatches `page` (detail: the page being read), `beyond` (scrolled on at the end),
 * `onward` (the button there) and `middle`.
 */
@customElement("longbox-continuous-stage")
export class ContinuousStage extends LitElement {
  @property({ attribute: false }) images!: PageImages;
  @property({ type: Number }) pageCount = 0;
  @property() fit: Fit = "page";
  @property({ attribute: false }) rotation: Rotation = 0;
  @property() taps: TapLayout = "none";
  /** The first page; later changes come from scrolling or `showPage`. */
  @property({ attribute: false }) startPage = 0;
  /** What comes after the last page. */
  @property() onward = "";

  readonly #slots: HTMLElement[] = [];
  #strip: HTMLElement | undefined;
  #current = -1;
  #zoom = 1;
  /** The pages that are loaded or being loaded, each with a mark of its own: one that was passed may come back. */
  readonly #held = new Map<number, symbol>();
  #frame = 0;
  #pressed: { x: number; y: number; at: number } | undefined;
  readonly #resized = new ResizeObserver(() => this.#layOut());

  static override styles = stripStyle;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
    this.addEventListener("scroll", this.#onScroll, { passive: true });
    this.addEventListener("wheel", this.#onWheel, { passive: false });
    this.addEventListener("pointerdown", this.#onDown);
    this.addEventListener("pointerup", this.#onUp);
    addEventListener("online", this.#onOnline);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
    cancelAnimationFrame(this.#frame);
    removeEventListener("online", this.#onOnline);
    for (const [name, listener] of [
      ["scroll", this.#onScroll],
      ["wheel", this.#onWheel],
      ["pointerdown", this.#onDown],
      ["pointerup", this.#onUp],
    ] as const)
      this.removeEventListener(name, listener as EventListener);
  }

  override render() {
    return html`<div class="strip"></div>
      ${this.onward ? html`<div class="end"><button class="strong" type="button" @click=${() => this.#say("onward", undefined)}>${this.onward}</button></div>` : nothing}`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("images") || changed.has("pageCount") || changed.has("rotation")) this.#build();
    else if (changed.has("fit")) this.#layOut();
  }

  advance(by: 1 | -1): boolean {
    const before = this.scrollTop;
    const end = this.scrollHeight - this.clientHeight;
    if (by === 1 ? before >= end - 2 : before <= 2) return false;
    this.scrollBy({ top: by * this.clientHeight * 0.85, behavior: smooth() });
    return true;
  }

  /** @returns false when the end is reached */
  pan(movement: { y: number }): boolean {
    const before = this.scrollTop;
    this.scrollBy({ top: -movement.y, behavior: "instant" });
    return this.scrollTop !== before;
  }

  zoomBy(factor: number): void {
    this.#zoom = Math.min(3, Math.max(0.4, this.#zoom * factor));
    this.#layOut();
  }

  resetZoom(): void {
    this.zoomBy(1 / this.#zoom);
  }

  showPage(page: number): void {
    const slot = this.#slots[page];
    if (slot) this.scrollTop = slot.offsetTop;
  }

  #build(): void {
    this.#strip = this.renderRoot.querySelector<HTMLElement>(".strip")!;
    const before = this.#current;
    this.#slots.length = 0;
    this.#held.clear();
    for (let page = 0; page < this.pageCount; page++) this.#slots.push(this.#makeSlot(page));
    this.#strip.replaceChildren(...this.#slots);
    this.#current = -1;
    this.#layOut();
    this.showPage(before < 0 ? this.startPage : before);
    this.#notice();
  }

  #makeSlot(page: number): HTMLElement {
    const slot = document.createElement("div");
    slot.className = "slot";
    slot.dataset["page"] = String(page);
    const aspect = this.images.aspectOf(page) ?? this.images.typicalAspect ?? usualAspect;
    slot.style.aspectRatio = String(turnedAspect(aspect, this.rotation));
    return slot;
  }

  /** Loads the pages in and around the window. Those that were passed are released, their requests aborted. */
  #holdPages(): void {
    const wanted = wantedPages(this.#slots, { top: this.scrollTop, height: this.clientHeight });
    this.images.abandon((page) => wanted.has(page));
    for (const page of [...this.#held.keys()].filter((held) => !wanted.has(held))) {
      this.#held.delete(page);
      this.#slots[page]?.replaceChildren();
    }
    for (const page of wanted) {
      if (this.#held.has(page)) continue;
      void this.#fill(this.#slots[page]!, page);
    }
  }

  async #fill(slot: HTMLElement, page: number): Promise<void> {
    const images = this.images;
    const mark = Symbol("held");
    this.#held.set(page, mark);
    const isGone = () => images !== this.images || this.#held.get(page) !== mark;
    try {
      const { image } = await images.load(
        page,
        this.fit === "original" ? undefined : keptWidth(this.#stripWidth() * devicePixelRatio),
      );
      if (isGone()) return;
      const aspect = turnedAspect(images.aspectOf(page) ?? usualAspect, this.rotation);
      turnImage(image, this.rotation, aspect);
      this.#shape(slot, aspect);
      if (this.fit === "original") slot.style.width = `${image.naturalWidth / devicePixelRatio}px`;
      slot.replaceChildren(image);
    } catch {
      if (!isGone()) slot.replaceChildren(pageTrouble(page, () => this.#refill(page)));
    }
  }

  #refill(page: number): void {
    const slot = this.#slots[page]!;
    slot.replaceChildren();
    void this.#fill(slot, page);
  }

  /** Gives a slot the shape of its page. What is in the window stays where it is when the slot is above it. */
  #shape(slot: HTMLElement, aspect: number): void {
    const before = slot.offsetHeight;
    const isAbove = slot.offsetTop + before <= this.scrollTop;
    slot.style.aspectRatio = String(aspect);
    if (isAbove) this.scrollTop += slot.offsetHeight - before;
    else this.#onScroll();
  }

  #stripWidth(): number {
    const room = this.clientWidth;
    const width = this.fit === "width" ? room : Math.min(room, readableWidth);
    return width * this.#zoom;
  }

  /** Keeps the scroll position of the current page. */
  #layOut(): void {
    if (!this.#strip) return;
    const slot = this.#slots[this.#current];
    const share = slot && slot.offsetHeight > 0 ? (this.scrollTop - slot.offsetTop) / slot.offsetHeight : 0;
    this.#strip.style.width = this.fit === "original" ? "max-content" : `${this.#stripWidth()}px`;
    if (slot) this.scrollTop = slot.offsetTop + share * slot.offsetHeight;
    this.#onScroll();
  }

  readonly #onScroll = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#notice());
  };

  #notice(): void {
    if (this.#slots.length === 0) return;
    this.#holdPages();
    const line = this.scrollTop + this.clientHeight * readingLine;
    const last = this.#slots.at(-1);
    const atEnd = last !== undefined && this.scrollTop + this.clientHeight >= last.offsetTop + last.offsetHeight - 4;
    const page = atEnd ? this.#slots.length - 1 : crossing(this.#slots, line);
    if (page === this.#current) return;
    this.#current = page;
    this.#say("page", page);
  }

  readonly #onWheel = (event: WheelEvent): void => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      return this.zoomBy(Math.exp(-event.deltaY / 300));
    }
    const atEnd = this.scrollTop + this.clientHeight >= this.scrollHeight - 2;
    if (atEnd && event.deltaY > 0) this.#say("beyond", undefined);
  };

  /** Pages that failed without a connection are loaded again once there is one. */
  readonly #onOnline = (): void => {
    for (const page of this.#held.keys()) if (this.#slots[page]?.querySelector(".trouble")) this.#refill(page);
  };

  readonly #onDown = (event: PointerEvent): void => {
    this.#pressed = { x: event.clientX, y: event.clientY, at: event.timeStamp };
  };

  readonly #onUp = (event: PointerEvent): void => {
    const pressed = this.#pressed;
    this.#pressed = undefined;
    if (!pressed || event.button !== 0 || event.composedPath()[0] instanceof HTMLButtonElement) return;
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 8 && event.timeStamp - pressed.at < 500)
      this.#tapped(event);
  };

  #tapped(event: PointerEvent): void {
    const box = this.getBoundingClientRect();
    const point = { x: event.clientX - box.left, y: event.clientY - box.top };
    const zone = tapZoneAt(point, box, { taps: this.taps, direction: "ltr" });
    if (zone === "controls") return this.#say("middle", event.pointerType);
    if (!this.advance(zone === "forward" ? 1 : -1) && zone === "forward") this.#say("beyond", undefined);
  }

  #say(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function smooth(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}
