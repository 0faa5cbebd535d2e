import { base, buttons, element } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { clock, type Chapter } from "../player/timeline.js";
import { playerStyles } from "./player-styles.js";

/**
 * The chapters of a book. A long list scrolls by itself, and shows the chapter that plays. Tells the start of a chosen
 * one with `choose`.
 */
@element("audiobooks-chapters")
export class ChapterList extends LitElement {
  static override properties = { chapters: { attribute: false }, current: { attribute: false } };
  static override styles = [
    base,
    buttons,
    playerStyles,
    css`
      ol {
        position: relative;
        max-height: min(32rem, 70vh);
        margin: 0;
        padding: 0;
        overflow-y: auto;
        border-block: 1px solid var(--lb-line);
        list-style: none;
      }
      li {
        display: flex;
      }
      li + li {
        border-top: 1px solid var(--lb-line);
      }
      button {
        flex: 1;
        justify-content: flex-start;
        min-width: 0;
        padding-inline: var(--lb-space-2);
        border-radius: 0;
        text-align: start;
      }
      button:focus-visible {
        outline-offset: -3px;
      }
      .name {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .heard {
        color: var(--lb-ink-soft);
        font-weight: 400;
      }
      [aria-current] {
        background: var(--lb-accent-soft);
      }
    `,
  ];
  declare chapters: readonly Chapter[];
  /** The one that plays, counted from 0. */
  declare current: number | undefined;

  constructor() {
    super();
    this.chapters = [];
  }

  override render() {
    return html`<ol>
      ${this.chapters.map(
        ({ title, start, end }, index) =>
          html`<li>
            <button
              class=${index < (this.current ?? 0) ? "quiet heard" : "quiet"}
              aria-current=${index === this.current ? "true" : nothing}
              @click=${() => this.dispatchEvent(new CustomEvent<number>("choose", { detail: start }))}
            >
              <span class="name">${title}</span><span class="time">${clock(end - start)}</span>
            </button>
          </li>`,
      )}
    </ol>`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("current") || changed.has("chapters")) this.#showCurrent();
  }

  /** Moves the list alone: the page stays where the listener looks. */
  #showCurrent(): void {
    const list = this.renderRoot.querySelector("ol");
    const row = list?.children[this.current ?? -1];
    if (!list || !(row instanceof HTMLElement)) return;
    const isSeen =
      row.offsetTop >= list.scrollTop && row.offsetTop + row.offsetHeight <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = row.offsetTop - list.clientHeight / 3;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "audiobooks-chapters": ChapterList;
  }
}
