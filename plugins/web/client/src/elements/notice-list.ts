import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Notice } from "../shell/notices.js";
import { Watch } from "../shell/observable.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons } from "../styles/index.js";
import "./icon.js";

/** What is said in passing, at the foot of the window, and read out. */
@customElement("lb-notice-list")
export class NoticeList extends LitElement {
  @property({ attribute: false }) longbox!: Shell;

  constructor() {
    super();
    new Watch(this, () => [this.longbox.notices.shown]);
  }

  static override styles = [
    base,
    buttons,
    css`
      :host {
        position: fixed;
        z-index: 40;
        right: var(--lb-space-4);
        bottom: var(--lb-space-4);
        display: grid;
        width: min(26rem, 100vw - 2 * var(--lb-space-4));
        pointer-events: none;
      }
      div {
        display: grid;
        gap: var(--lb-space-2);
      }
      .notice {
        display: flex;
        align-items: center;
        gap: var(--lb-space-3);
        padding: var(--lb-space-2) var(--lb-space-2) var(--lb-space-2) var(--lb-space-4);
        border-radius: var(--lb-radius-m);
        border-inline-start: 5px solid var(--tone);
        background: var(--lb-raised);
        box-shadow: var(--lb-shadow-2);
        pointer-events: auto;
        animation: arrive 200ms ease-out;
      }
      .notice p {
        flex: 1;
        overflow-wrap: anywhere;
      }
      .info {
        --tone: var(--lb-accent);
      }
      .success {
        --tone: var(--lb-success);
      }
      .warning {
        --tone: var(--lb-warning);
      }
      .danger {
        --tone: var(--lb-danger);
      }
      @keyframes arrive {
        from {
          opacity: 0;
          transform: translateY(8px);
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .notice {
          animation: none;
        }
      }
      @media (max-width: 719px) {
        :host {
          bottom: calc(5rem + env(safe-area-inset-bottom));
        }
      }
    `,
  ];

  override render() {
    const shown = this.longbox.notices.shown.value;
    return html`<div role="status" aria-live="polite">${repeat(shown, (notice) => notice.id, (notice) => this.#notice(notice))}</div>`;
  }

  #notice(notice: Notice) {
    const { action } = notice;
    return html`<div class="notice ${notice.level}">
      <p>${notice.message}</p>
      ${action ? html`<button class="primary" @click=${action.run}>${action.label}</button>` : nothing}
      <button class="quiet round" aria-label="Dismiss" @click=${() => this.longbox.notices.dismiss(notice.id)}><lb-icon name="close"></lb-icon></button>
    </div>`;
  }
}
