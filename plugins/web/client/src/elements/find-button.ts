import { icon, t } from "@longbox/sdk/ui";
import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { base } from "../styles/index.js";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Looks like a field, and opens the panel that finds anything. */
@customElement("lb-find-button")
export class FindButton extends LitElement {
  @property({ attribute: false }) open: () => void = () => undefined;

  static override styles = [
    base,
    css`
      button {
        display: flex;
        align-items: center;
        gap: var(--lb-space-3);
        width: 100%;
        height: 2.5rem;
        padding: 0 var(--lb-space-3);
        border: 1.5px solid color-mix(in oklab, var(--lb-ink-soft) 55%, var(--lb-line));
        border-radius: 999px;
        background: var(--lb-surface);
        color: var(--lb-ink-soft);
        font: 1rem var(--lb-font-text);
        text-align: start;
        cursor: text;
      }
      .hint {
        flex: 1;
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      kbd {
        padding: 0 0.4rem;
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-s);
        font: 600 var(--lb-text-s) / 1.5rem var(--lb-font-mono);
      }
      @media (hover: none), (width < 45rem) {
        kbd {
          display: none;
        }
      }
    `,
  ];

  override render() {
    return html`<button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K /"
      @click=${() => this.open()}
    >
      ${icon("search")}<span class="hint">${t("findButton.searchTitlesPeople12")}</span>
      <kbd aria-hidden="true">${isApple ? "⌘ K" : "Ctrl K"}</kbd>
    </button>`;
  }
}
