import { t } from "@longbox/sdk/ui";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Direction, Fit } from "@longbox/reader/api";
import type { Panel } from "../panels/find-panels.js";
import { fitSpread, usualAspect } from "./fitting.js";
import { Gestures } from "./gestures.js";
import { viewOfPanel } from "./panel-view.js";
import { pagedStyle } from "./paged-style.js";
import { keptWidth, type LoadedPage, type PageImages } from "./page-images.js";
import type { Spread } from "./spreads.js";
import { troubleNotice, waitingNotice } from "./stage-notices.js";
import { turnedAspect, turnImage, type Rotation } from "./rotation.js";
import { replaceImage, sharperPage } from "./sharpening.js";
import { tapZoneAt, type TapLayout } from "./tap-zones.js";
import { Taps } from "./taps.js";
import { clampView, roomAbove, roomBelow, zoomAt, type Extent, type Point, type View } from "./view-box.js";
import { WheelTurns } from "./wheel-turns.js";

/** How far, in pixels, or how fast, in pixels a millisecond, a finger goes to turn the page. */
const swipeDistance = 60;
const swipeSpeed = 0.35;
const tappedZoom = 2.2;
/** After this time, a message says that the page is loading. */
const patienceMs = 300;
const unmeasured: Extent = { width: 1, height: 1 };

/** Where a page was tapped twice, as a share of its width and height. */
export interface TappedPage {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  /** The point of the window. */
  readonly point: Point;
}

/**
 * Shows one spread at a time. Dispatches `turn` (detail: 1 or -1), `middle` (a tap where it does not turn the page) and
 * `twice` (two of them; detail: a TappedPage).
 */
@customElement("longbox-paged-stage")
export class PagedStage extends LitElement {
  @property({ attribute: false }) images!: PageImages;
  @property({ attribute: false }) spread: Spread = [];
  @property() direction: Direction = "ltr";
  @property() fit: Fit = "page";
  @property({ attribute: false }) rotation: Rotation = 0;
  @property() taps: TapLayout = "sides";
  /** Pixels to ask for, for every usual page. */
  @property({ attribute: false }) pixels: number | undefined;
  @state() private shown: readonly LoadedPage[] = [];
  @state() private problem = "";
  @state() private waiting = false;
  @query(".sheet") private sheet!: HTMLElement;

  #view: View = { zoom: 1, x: 0, y: 0 };
  #content: Extent = { width: 0, height: 0 };
  #window: Extent = unmeasured;
  #gestures: Gestures | undefined;
  readonly #tapping = new Taps();
  #panel: Panel | undefined;
  #comesFrom: 1 | -1 | 0 = 0;
  /** The pages that were last fetched in a larger size; their layout does not change. */
  #sharpened: readonly LoadedPage[] | undefined;
  #asked = 0;
  readonly #wheel = new WheelTurns();
  readonly #resized = new ResizeObserver(() => this.#measure());

  static override styles = pagedStyle;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
    this.#gestures = new Gestures(this, {
      tap: (point, kind) => this.#tap(point, kind),
      drag: (movement, total) => this.#drag(movement, total),
      dragEnd: (total, velocity) => this.#dragEnd(total, velocity),
      pinch: (factor, centre, movement) =>
        this.#apply(
          zoomAt(
            { ...this.#view, x: this.#view.x + movement.x, y: this.#view.y + movement.y },
            this.#view.zoom * factor,
            centre,
          ),
        ),
    });
    this.addEventListener("wheel", this.#onWheel, { passive: false });
    addEventListener("online", this.#onOnline);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
    this.#gestures?.release();
    this.#tapping.release();
    this.removeEventListener("wheel", this.#onWheel);
    removeEventListener("online", this.#onOnline);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("spread") || changed.has("images")) {
      const before = changed.get("spread")?.[0];
      this.#comesFrom =
        before === undefined || this.spread[0] === undefined || changed.has("images")
          ? 0
          : this.spread[0] > before
            ? 1
            : -1;
      void this.#show();
    }
  }

  override updated(changed: PropertyValues): void {
    const isSharper = changed.has("shown") && this.shown === this.#sharpened;
    if ((changed.has("shown") && !isSharper) || ["fit", "direction", "rotation"].some((name) => changed.has(name)))
      this.#settle();
  }

  override render() {
    return html`<div class="sheet ${this.direction} ${this.#comesFrom === 0 ? "" : "turned"}">
        ${this.shown.map(({ image }) => html`<div class="leaf">${image}</div>`)}
      </div>
      ${this.problem ? troubleNotice(this.problem, () => void this.#show()) : this.waiting ? waitingNotice() : nothing}`;
  }

  /** Scrolls within the page. @returns false when the edge in that direction is reached */
  advance(by: 1 | -1): boolean {
    const room = by === 1 ? roomBelow(this.#view, this.#content, this.#window) : roomAbove(this.#view);
    if (room < 4) return false;
    this.#glide({ ...this.#view, y: this.#view.y - by * Math.min(room, this.#window.height * 0.85) });
    return true;
  }

  /** Moves the pages by this number of pixels. @returns false when they cannot move further */
  pan(movement: Point): boolean {
    const before = this.#view;
    this.#apply({ ...before, x: before.x + movement.x, y: before.y + movement.y });
    return before.x !== this.#view.x || before.y !== this.#view.y;
  }

  zoomBy(factor: number): void {
    this.#glide(
      zoomAt(this.#view, this.#view.zoom * factor, { x: this.#window.width / 2, y: this.#window.height / 2 }),
    );
  }

  resetZoom(): void {
    this.zoomBy(1 / this.#view.zoom);
  }

  /** Fills the window with a part of the first page; undefined shows the whole page again. */
  showPanel(panel: Panel | undefined): void {
    const [leaf] = this.#leaves;
    const wasPanel = this.#panel !== undefined;
    this.#panel = panel;
    if (panel && leaf) this.#glide(viewOfPanel(panel, leaf, this.#window));
    else if (wasPanel) this.#settle();
  }

  /** Zooms in around a point of the window, or out again. */
  toggleZoom(point: Point): void {
    this.#glide(zoomAt(this.#view, this.#view.zoom > 1 ? 1 : tappedZoom, point));
  }

  get #leaves(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".leaf")];
  }

  async #show(): Promise<void> {
    const asked = ++this.#asked;
    this.problem = "";
    const impatience = setTimeout(() => (this.waiting = asked === this.#asked), patienceMs);
    try {
      const width = this.pixels === undefined ? undefined : keptWidth(this.pixels);
      const loaded = await Promise.all(this.spread.map((page) => this.images.load(page, width)));
      if (asked === this.#asked) this.shown = loaded;
    } catch {
      if (asked !== this.#asked) return;
      this.shown = [];
      this.problem = t("pagedStage.pageCouldNotBe", { value: (this.spread[0] ?? 0) + 1 });
    } finally {
      clearTimeout(impatience);
      if (asked === this.#asked) this.waiting = false;
    }
  }

  #measure(): void {
    this.#window = this.#size;
    this.#settle();
  }

  get #size(): Extent {
    return { width: Math.max(1, this.clientWidth), height: Math.max(1, this.clientHeight) };
  }

  /** Lays the pages out again and goes to where reading them begins; to their end when the reader turned back. */
  #settle(): void {
    // The first page can be there before the observer has told the size; shown smaller, it would jump.
    if (this.#window === unmeasured) this.#window = this.#size;
    const isSideways = this.rotation % 180 !== 0;
    const natural = this.shown.map(({ image: { naturalWidth, naturalHeight } }) =>
      isSideways ? { width: naturalHeight, height: naturalWidth } : { width: naturalWidth, height: naturalHeight },
    );
    const aspects = this.shown.map(({ page }) =>
      turnedAspect(this.images.aspectOf(page) ?? usualAspect, this.rotation),
    );
    const sizes = fitSpread(aspects, { natural, fit: this.fit, window: this.#window });
    this.shown.forEach(({ image }, index) => {
      const { width, height } = sizes[index]!;
      Object.assign(this.#leaves[index]!.style, { width: `${width}px`, height: `${height}px` });
      turnImage(image, this.rotation, aspects[index]!);
    });
    this.#content = { width: sizes.reduce((sum, size) => sum + size.width, 0), height: sizes[0]?.height ?? 0 };
    if (this.#panel && this.#leaves[0]) return this.#apply(viewOfPanel(this.#panel, this.#leaves[0]!, this.#window));
    const x = this.direction === "rtl" ? -this.#content.width : 0;
    this.#apply({ zoom: 1, x, y: this.#comesFrom === -1 ? -this.#content.height : 0 });
  }

  #apply(view: View): void {
    this.#view = clampView(view, this.#content, this.#window);
    const { x, y, zoom } = this.#view;
    this.sheet.style.transform = `translate3d(${x}px, ${y}px, 0) scale(${zoom})`;
    this.toggleAttribute("zoomed", zoom > 1);
    void this.#sharpen();
  }

  #glide(view: View): void {
    const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.sheet.style.transition = quiet ? "" : "transform 180ms ease-out";
    this.#apply(view);
    setTimeout(() => (this.sheet.style.transition = ""), 200);
  }

  /** Fetches a larger size of a page that is shown larger than it was fetched. */
  async #sharpen(): Promise<void> {
    for (const kept of this.shown) {
      const sharper = await sharperPage(kept, this.images, this.#view.zoom);
      if (!sharper) continue;
      if (!this.shown.includes(kept)) return;
      replaceImage(kept, sharper);
      this.shown = this.#sharpened = this.shown.map((one) => (one === kept ? sharper : one));
    }
  }

  #tap(point: Point, kind: string): void {
    const zone = tapZoneAt(point, this.#window, this);
    if (zone !== "controls") return this.#say("turn", zone === "forward" ? 1 : -1);
    this.#tapping.tap({ once: () => this.#say("middle", kind), twice: () => this.#tappedTwice(point) });
  }

  #tappedTwice(point: Point): void {
    const { x: left, y: top } = this.getBoundingClientRect();
    const index = this.#leaves.findIndex((leaf) => {
      const box = leaf.getBoundingClientRect();
      return box.left <= point.x + left && point.x + left <= box.right;
    });
    const box = this.#leaves[index]?.getBoundingClientRect();
    const page = this.shown[index]?.page;
    if (!box || page === undefined) return this.toggleZoom(point);
    const at = { x: (point.x + left - box.left) / box.width, y: (point.y + top - box.top) / box.height };
    this.#say("twice", { page, ...at, point });
  }

  #drag(movement: Point, total: Point): void {
    const canPan = this.#content.width * this.#view.zoom > this.#window.width + 1;
    if (canPan || Math.abs(total.y) > Math.abs(total.x)) {
      this.pan(movement);
      return;
    }
    this.sheet.style.transform = `translate3d(${this.#view.x + total.x * 0.8}px, ${this.#view.y}px, 0) scale(${this.#view.zoom})`;
  }

  #dragEnd(total: Point, velocity: Point): void {
    const canPan = this.#content.width * this.#view.zoom > this.#window.width + 1;
    const sideways = Math.abs(total.x) > Math.abs(total.y) * 1.2;
    const far = Math.abs(total.x) > swipeDistance || Math.abs(velocity.x) > swipeSpeed;
    if (!canPan) this.#glide(this.#view);
    if (!canPan && sideways && far) this.#say("turn", total.x < 0 === (this.direction === "ltr") ? 1 : -1);
  }

  readonly #onOnline = (): void => {
    if (this.problem) void this.#show();
  };

  readonly #onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const box = this.getBoundingClientRect();
    const point = { x: event.clientX - box.left, y: event.clientY - box.top };
    if (event.ctrlKey || event.metaKey)
      return this.#apply(zoomAt(this.#view, this.#view.zoom * Math.exp(-event.deltaY / 200), point));
    const scale = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    const panned = this.pan({ x: -event.deltaX * scale, y: -event.deltaY * scale });
    const turn = this.#wheel.turn(event.deltaY * scale, { panned, at: event.timeStamp });
    if (turn !== 0) this.#say("turn", turn);
  };

  #say(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
