import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { controlsStyle } from "../chrome/controls-style.js";
import type { Fit } from "@longbox/reader/api";
import { usualAspect } from "./fitting.js";
import { keptWidth, type PageImages } from "./page-images.js";
import { pageTrouble } from "./page-trouble.js";

/** The distances from the window within which pages are loaded, and beyond which they are released. */
const loadMargin = "150% 0px";
const keepMargin = "500% 0px";
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
  /** The first page; later changes come from scrolling or `showPage`. */
  @property({ attribute: false }) startPage = 0;
  /** What comes after the last page. */
  @property() onward = "";

  readonly #slots: HTMLElement[] = [];
  #strip: HTMLElement | undefined;
  #current = -1;
  #zoom = 1;
  #near: IntersectionObserver | undefined;
  #far: IntersectionObserver | undefined;
  #frame = 0;
  #pressed: { x: number; y: number; at: number } | undefined;
  readonly #resized = new ResizeObserver(() => this.#layOut());

  static override styles = [
    controlsStyle,
    css`
      :host {
        display: block;
        overflow: hidden auto;
        overscroll-behavior: contain;
        scrollbar-width: thin;
      }
      .strip {
        margin: 0 auto;
      }
      .slot {
        position: relative;
        width: 100%;
        background: color-mix(in oklab, var(--lb-ink) 5%, transparent);
      }
      .slot img {
        display: block;
        width: 100%;
        height: 100%;
      }
      .trouble,
      .end {
        display: grid;
        place-content: center;
        justify-items: center;
        gap: var(--lb-space-4);
        padding: var(--lb-space-5);
        color: var(--lb-ink);
        font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
        text-align: center;
      }
      .trouble {
        position: absolute;
        inset: 0;
      }
      .trouble p {
        margin: 0;
      }
      .end {
        min-height: 9rem;
        padding-bottom: max(var(--lb-space-7), env(safe-area-inset-bottom));
      }
    `,
  ];

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
    this.#near?.disconnect();
    this.#far?.disconnect();
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
    if (changed.has("images") || changed.has("pageCount")) this.#build();
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
    this.#near?.disconnect();
    this.#far?.disconnect();
    this.#near = new IntersectionObserver(
      (entries) => entries.forEach((entry) => entry.isIntersecting && void this.#fill(entry.target as HTMLElement)),
      { root: this, rootMargin: loadMargin },
    );
    this.#far = new IntersectionObserver(
      (entries) => entries.forEach((entry) => !entry.isIntersecting && entry.target.replaceChildren()),
      { root: this, rootMargin: keepMargin },
    );
    this.#slots.length = 0;
    for (let page = 0; page < this.pageCount; page++) this.#slots.push(this.#makeSlot(page));
    this.#strip.replaceChildren(...this.#slots);
    this.#current = -1;
    this.#layOut();
    this.showPage(this.startPage);
    for (const slot of this.#slots) {
      this.#near.observe(slot);
      this.#far.observe(slot);
    }
    this.#notice();
  }

  #makeSlot(page: number): HTMLElement {
    const slot = document.createElement("div");
    slot.className = "slot";
    slot.dataset["page"] = String(page);
    slot.style.aspectRatio = String(this.images.aspectOf(page) ?? usualAspect);
    return slot;
  }

  async #fill(slot: HTMLElement): Promise<void> {
    if (slot.firstChild) return;
    const page = Number(slot.dataset["page"]);
    const images = this.images;
    try {
      const { image } = await images.load(
        page,
        this.fit === "original" ? undefined : keptWidth(this.#stripWidth() * devicePixelRatio),
      );
      if (images !== this.images || slot.firstChild) return;
      image.style.width = image.style.height = "";
      slot.style.aspectRatio = String(images.aspectOf(page));
      if (this.fit === "original") slot.style.width = `${image.naturalWidth / devicePixelRatio}px`;
      slot.replaceChildren(image);
    } catch {
      if (images === this.images && !slot.firstChild) slot.replaceChildren(pageTrouble(page, () => this.#refill(slot)));
    }
  }

  #refill(slot: HTMLElement): void {
    slot.replaceChildren();
    void this.#fill(slot);
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
  }

  readonly #onScroll = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#notice());
  };

  #notice(): void {
    const line = this.scrollTop + this.clientHeight * readingLine;
    const last = this.#slots.at(-1);
    const atEnd = last !== undefined && this.scrollTop + this.clientHeight >= last.offsetTop + last.offsetHeight - 4;
    const crossed = this.#slots.findIndex((slot) => slot.offsetTop + slot.offsetHeight > line);
    const page = atEnd || crossed < 0 ? this.#slots.length - 1 : crossed;
    if (page === this.#current || page < 0) return;
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
    for (const slot of this.#slots) if (slot.querySelector(".trouble")) this.#refill(slot);
  };

  readonly #onDown = (event: PointerEvent): void => {
    this.#pressed = { x: event.clientX, y: event.clientY, at: event.timeStamp };
  };

  readonly #onUp = (event: PointerEvent): void => {
    const pressed = this.#pressed;
    this.#pressed = undefined;
    if (!pressed || event.button !== 0 || event.composedPath()[0] instanceof HTMLButtonElement) return;
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 8 && event.timeStamp - pressed.at < 500)
      this.#say("middle", event.pointerType);
  };

  #say(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function smooth(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}
