import { Dialog, dialogs, standard, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Direction } from "@longbox/reader/api";
import { pageUrl, type PageAddress } from "../stage/page-images.js";
import { controlsStyle } from "./controls-style.js";
import { icon } from "./icons.js";

/** Thumbnails of all pages of the issue. Dispatches `page` (detail: the page, counted from 0). */
@customElement("longbox-reader-overview")
export class ReaderOverview extends LitElement {
  @property({ attribute: false }) address!: PageAddress;
  @property({ type: Number }) pageCount = 0;
  @property({ attribute: false }) shown: readonly number[] = [];
  @property({ attribute: false }) bookmarks: readonly number[] = [];
  /** Pages with a note. */
  @property({ attribute: false }) notes: readonly number[] = [];
  @property() direction: Direction = "ltr";
  @state() private onlyBookmarks = false;
  readonly #dialog = new Dialog(this);

  static override styles = [
    standard,
    dialogs,
    controlsStyle,
    css`
      dialog.pages {
        width: min(60rem, 100vw);
        height: min(46rem, 90dvh);
        grid-template-rows: auto minmax(0, 1fr);
        overflow: hidden;
        font-size: var(--lb-text-s);
      }
      h2 {
        flex: 1;
      }
      .dialog-head {
        align-items: center;
        gap: var(--lb-space-2);
      }
      .dialog-head .round {
        margin-block: 0;
      }
      form {
        display: flex;
        align-items: center;
        gap: var(--lb-space-2);
      }
      input {
        width: 6.5em;
      }
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(104px, 1fr));
        align-content: start;
        gap: var(--lb-space-3);
        margin: 0;
        padding: 0;
        overflow-y: auto;
        overscroll-behavior: contain;
        list-style: none;
      }
      li {
        content-visibility: auto;
        contain-intrinsic-size: auto 186px;
      }
      .page {
        position: relative;
        display: grid;
        gap: var(--lb-space-1);
        width: 100%;
        padding: var(--lb-space-1);
        border: 2px solid transparent;
        border-radius: var(--lb-radius-m);
        background: none;
        cursor: pointer;
      }
      .page:hover {
        background: color-mix(in oklab, var(--lb-ink) 8%, transparent);
      }
      .page[aria-current] {
        border-color: var(--lb-accent);
        background: var(--lb-accent-soft);
      }
      .page:focus-visible {
        outline-offset: -2px;
      }
      .page img {
        width: 100%;
        aspect-ratio: 2 / 3;
        object-fit: contain;
        background: color-mix(in oklab, var(--lb-ink) 6%, transparent);
      }
      .page span {
        font: 600 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
        font-variant-numeric: tabular-nums;
      }
      .page i {
        position: absolute;
        top: 0;
        right: 12px;
        width: 14px;
        height: 22px;
        background: var(--lb-warning);
        clip-path: polygon(0 0, 100% 0, 100% 100%, 50% 72%, 0 100%);
      }
    `,
  ];

  get open(): boolean {
    return this.#dialog.isOpen;
  }

  async show(): Promise<void> {
    this.onlyBookmarks = false;
    await this.#dialog.open();
    const present = this.renderRoot.querySelector<HTMLElement>("[aria-current]");
    present?.focus({ preventScroll: true });
    present?.scrollIntoView({ block: "center" });
  }

  override render() {
    return this.#dialog.render(t("overview.pages"), () => this.#grid(), {
      look: "pages",
      tools: this.#tools(),
      closesOutside: true,
    });
  }

  #tools(): TemplateResult {
    return html`${
        this.bookmarks.length > 0
          ? html`<button
              class="plain"
              type="button"
              aria-pressed=${this.onlyBookmarks}
              aria-label=${t("overview.onlyBookmarks")}
              title=${t("overview.onlyBookmarks")}
              @click=${() => (this.onlyBookmarks = !this.onlyBookmarks)}
            >
              ${icon("bookmark")}
            </button>`
          : nothing
      }
      <form @submit=${this.#jump}>
        <label for="number">${t("overview.goTo")}</label>
        <input
          id="number"
          type="number"
          inputmode="numeric"
          min="1"
          max=${this.pageCount}
          required
          placeholder=${`1–${this.pageCount}`}
        />
      </form>`;
  }

  #grid(): TemplateResult {
    return html`<ol dir=${this.direction} @keydown=${this.#walk}>
      ${this.#pages().map((page) => html`<li>${this.#thumbnail(page)}</li>`)}
    </ol>`;
  }

  #thumbnail(page: number): TemplateResult {
    const isMarked = this.bookmarks.includes(page);
    const hasNote = this.notes.includes(page);
    const isShown = this.shown.includes(page);
    const width = devicePixelRatio > 1.5 ? 320 : 160;
    return html`<button
      class="page"
      type="button"
      data-page=${page}
      tabindex=${this.shown[0] === page ? 0 : -1}
      aria-current=${isShown ? "page" : nothing}
      aria-label=${t("overview.pageBookmarkedWithA", { page: page + 1, whichIsMarked: isMarked ? "yes" : "no", whichHasNote: hasNote ? "yes" : "no" })}
      @click=${() => this.#choose(page)}
    >
      <img
        alt=""
        loading="lazy"
        decoding="async"
        src=${pageUrl({ ...this.address, trim: false }, page, width)}
        @error=${hide}
      />
      <span aria-hidden="true">${page + 1}${hasNote ? " ✎" : ""}</span>${isMarked ? html`<i></i>` : nothing}
    </button>`;
  }

  #pages(): readonly number[] {
    return this.onlyBookmarks ? this.bookmarks : Array.from({ length: this.pageCount }, (_, page) => page);
  }

  readonly #jump = (event: SubmitEvent): void => {
    event.preventDefault();
    const input = this.renderRoot.querySelector<HTMLInputElement>("#number")!;
    this.#choose(input.valueAsNumber - 1);
  };

  #choose(page: number): void {
    this.#dialog.close();
    this.dispatchEvent(new CustomEvent("page", { detail: page }));
  }

  /** Arrow keys move the focus through the grid of pages. */
  readonly #walk = (event: KeyboardEvent): void => {
    const all = [...this.renderRoot.querySelectorAll<HTMLElement>(".page")];
    const from = all.indexOf(event.target as HTMLElement);
    const target = all[from + this.#step(event.key, all)];
    if (from < 0 || !target || target === event.target) return;
    event.preventDefault();
    target.focus();
  };

  #step(key: string, all: readonly HTMLElement[]): number {
    const top = (page: HTMLElement | undefined) => page?.parentElement?.offsetTop;
    const across = all.filter((page) => top(page) === top(all[0])).length;
    const forth = this.direction === "rtl" ? -1 : 1;
    return { ArrowRight: forth, ArrowLeft: -forth, ArrowDown: across, ArrowUp: -across }[key] ?? 0;
  }
}

function hide(event: Event): void {
  (event.target as HTMLElement).hidden = true;
}
