import { icon } from "@longbox/sdk/ui";
import { css, html, LitElement } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { Watch } from "../shell/observable.js";
import type { Shell } from "../shell/shell.js";
import { base } from "../styles/index.js";

const quietMs = 180;

/** Searches the library, from every page. */
@customElement("lb-search-box")
export class SearchBox extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @query("input") private field!: HTMLInputElement;
  #timer: number | undefined;

  constructor() {
    super();
    new Watch(this, () => [this.longbox.router.match]);
  }

  static override styles = [
    base,
    css`
      form {
        position: relative;
      }
      input {
        width: 100%;
        height: 2.5rem;
        padding: 0 2.5rem;
        border: 1.5px solid color-mix(in oklab, var(--lb-ink-soft) 55%, var(--lb-line));
        border-radius: 999px;
        background: var(--lb-surface);
        color: var(--lb-ink);
        font: 1rem var(--lb-font-text);
      }
      input::placeholder {
        color: var(--lb-ink-soft);
        opacity: 1;
      }
      input::-webkit-search-cancel-button {
        display: none;
      }
      .icon {
        position: absolute;
        top: 0.625rem;
        left: 0.75rem;
        color: var(--lb-ink-soft);
        pointer-events: none;
      }
      kbd {
        position: absolute;
        top: 0.5rem;
        right: 0.75rem;
        padding: 0 0.4rem;
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-s);
        font: 600 var(--lb-text-s) / 1.5rem var(--lb-font-mono);
        color: var(--lb-ink-soft);
        pointer-events: none;
      }
      input:focus ~ kbd {
        display: none;
      }
      @media (hover: none) {
        kbd {
          display: none;
        }
      }
    `,
  ];

  focusField(): void {
    this.field.focus();
    this.field.select();
  }

  override render() {
    return html`<form role="search" aria-label="Library" @submit=${this.#submit}>
      <input
        type="search"
        aria-label="Search the library"
        placeholder="Search titles, people, #12 …"
        autocomplete="off"
        @input=${this.#input}
        @keydown=${this.#key}
      />
      ${icon("search")}
      <kbd aria-hidden="true">/</kbd>
    </form>`;
  }

  /** Shows the current search, but never overwrites what the user is typing. */
  override updated(): void {
    if (this.renderRoot instanceof ShadowRoot && this.renderRoot.activeElement === this.field) return;
    const { url } = this.longbox.router.match.value;
    this.field.value = url.pathname === "/library" ? (url.searchParams.get("search") ?? "") : "";
  }

  #input(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#go(), quietMs);
  }

  #submit(event: Event): void {
    event.preventDefault();
    window.clearTimeout(this.#timer);
    this.#go();
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (this.field.value === "") this.field.blur();
    else {
      this.field.value = "";
      this.#go();
    }
  }

  #go(): void {
    const { url } = this.longbox.router.match.value;
    const there = url.pathname === "/library";
    const next = there ? new URL(url) : new URL("/library", url);
    const text = this.field.value.trim();
    if (text === "") next.searchParams.delete("search");
    else next.searchParams.set("search", text);
    if (next.href !== url.href) this.longbox.navigate(next.href, { replace: there });
  }
}
