import { t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Direction } from "@longbox/reader/api";
import { pageUrl, type PageAddress } from "../stage/page-images.js";

const previewWidth = 160;

/** A slider over the pages of the issue. Dispatches `page` (detail: the page, counted from 0). */
@customElement("longbox-scrubber")
export class Scrubber extends LitElement {
  @property({ type: Number }) page = 0;
  @property({ type: Number }) pageCount = 1;
  @property() direction: Direction = "ltr";
  @property({ attribute: false }) address!: PageAddress;
  @property({ attribute: false }) bookmarks: readonly number[] = [];
  @state() private previewed: number | undefined;

  static override styles = css`
    :host {
      display: block;
      position: relative;
      height: 44px;
    }
    input {
      position: absolute;
      inset: 0;
      width: 100%;
      height: 100%;
      margin: 0;
      background: transparent;
      accent-color: var(--lb-accent);
      cursor: pointer;
    }
    input:focus-visible {
      outline: var(--lb-focus);
      outline-offset: 2px;
      border-radius: var(--lb-radius-s);
    }
    .marks {
      position: absolute;
      inset: 4px 8px auto;
      height: 8px;
      pointer-events: none;
    }
    .marks i {
      position: absolute;
      width: 6px;
      height: 8px;
      margin-left: -3px;
      background: var(--lb-warning);
      clip-path: polygon(0 0, 100% 0, 100% 100%, 50% 65%, 0 100%);
    }
    figure {
      position: absolute;
      bottom: 52px;
      width: 128px;
      margin: 0 0 0 -64px;
      padding: var(--lb-space-1);
      border: 1px solid var(--lb-line);
      border-radius: var(--lb-radius-m);
      background: var(--lb-raised);
      box-shadow: var(--lb-shadow-2);
      pointer-events: none;
    }
    figure img {
      display: block;
      width: 100%;
      height: 172px;
      object-fit: contain;
      background: color-mix(in oklab, var(--lb-ink) 6%, transparent);
    }
    figcaption {
      padding-top: var(--lb-space-1);
      text-align: center;
      font: 600 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
      color: var(--lb-ink);
    }
  `;

  override render() {
    return html`<div class="marks" aria-hidden="true">
        ${this.bookmarks.map((page) => html`<i data-page=${page}></i>`)}
      </div>
      <input
        type="range"
        dir=${this.direction}
        min="0"
        max=${Math.max(0, this.pageCount - 1)}
        .value=${String(this.page)}
        aria-label=${t("scrubber.page")}
        aria-valuetext=${t("scrubber.pageOf", { page: this.page + 1, pageCount: this.pageCount })}
        @input=${(event: Event) => this.#slide(Number((event.target as HTMLInputElement).value))}
        @change=${(event: Event) => this.#choose(Number((event.target as HTMLInputElement).value))}
        @pointermove=${(event: PointerEvent) => event.pointerType === "mouse" && event.buttons === 0 && (this.previewed = this.#pageAt(event))}
        @pointerleave=${() => (this.previewed = undefined)}
        @pointerup=${() => (this.previewed = undefined)}
      />
      ${
        this.previewed === undefined
          ? nothing
          : html`<figure>
              <img alt="" src=${pageUrl(this.address, this.previewed, previewWidth)} />
              <figcaption>${this.previewed + 1}</figcaption>
            </figure>`
      }`;
  }

  /** Positions are set as properties, because the Content Security Policy allows no style attributes. */
  override updated(): void {
    for (const mark of this.renderRoot.querySelectorAll<HTMLElement>(".marks i"))
      mark.style.left = `${this.#share(Number(mark.dataset["page"])) * 100}%`;
    const figure = this.renderRoot.querySelector("figure");
    if (figure && this.previewed !== undefined) {
      const half = 70;
      const room = this.clientWidth;
      figure.style.left = `${Math.min(Math.max(half, this.#share(this.previewed) * room), Math.max(half, room - half))}px`;
    }
  }

  #slide(page: number): void {
    this.previewed = page;
  }

  #choose(page: number): void {
    this.previewed = undefined;
    this.dispatchEvent(new CustomEvent("page", { detail: page }));
  }

  #share(page: number): number {
    const share = page / Math.max(1, this.pageCount - 1);
    return this.direction === "rtl" ? 1 - share : share;
  }

  #pageAt(event: PointerEvent): number {
    const box = this.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left - 8) / Math.max(1, box.width - 16)));
    return Math.round((this.direction === "rtl" ? 1 - share : share) * (this.pageCount - 1));
  }
}
