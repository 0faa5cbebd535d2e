import { css, html, LitElement, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Releasable } from "@longbox/sdk";
import { t, toastList, toasts } from "@longbox/sdk/ui";
import { Watch } from "../shell/observable.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, surfaces } from "../styles/index.js";
import "./navigation.js";
import "../activity/activity-button.js";
import "./find-button.js";
import "./shortcut-sheet.js";
import "./slot.js";
import { Finder } from "./finding.js";
import type { ShortcutSheet } from "./shortcut-sheet.js";
import { ShortcutKeys } from "../shell/shortcut-keys.js";

/**
 * The whole window: navigation, search and toasts around the page. The page is a child element, in the document's
 * own tree, so that a skip link finds it.
 */
@customElement("lb-frame")
export class Frame extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @query("lb-shortcut-sheet") private sheet?: ShortcutSheet;

  constructor() {
    super();
    new Watch(this, () => [this.longbox.session.state, this.longbox.router.match]);
    new ShortcutKeys(this, {
      listening: () => this.#hasChrome(),
      search: () => void this.#finder.open(),
      help: () => this.sheet?.show(),
      go: (path) => this.longbox.navigate(path),
    });
  }

  readonly #finder = new Finder(() => ({
    longbox: this.longbox,
    root: this.renderRoot,
    showKeys: () => this.sheet?.show(),
  }));
  #held: Releasable | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#held = this.longbox.toasts.onChanged(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.#held?.release();
  }

  static override styles = [
    base,
    buttons,
    surfaces,
    toasts,
    css`
      .said {
        position: fixed;
        z-index: 40;
        inset-inline-end: var(--lb-space-4);
        bottom: var(--lb-space-4);
        width: min(26rem, 100vw - 2 * var(--lb-space-4));
        pointer-events: none;
      }
      :host {
        --lb-gutter: clamp(var(--lb-space-4), 2.6vw, var(--lb-space-7));
        display: block;
        min-height: 100dvh;
      }
      .window {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        min-height: 100dvh;
      }
      .column {
        display: flex;
        flex-direction: column;
        min-width: 0;
      }
      header {
        position: sticky;
        z-index: 10;
        top: 0;
        display: flex;
        align-items: center;
        gap: var(--lb-space-3);
        padding: var(--lb-space-3) var(--lb-gutter);
        border-bottom: 1px solid var(--lb-line);
        background: color-mix(in oklab, var(--lb-page) 92%, transparent);
        backdrop-filter: blur(10px);
      }
      .mark {
        display: none;
        align-items: center;
        font: 800 1.375rem / 1 var(--lb-font-display);
        color: var(--lb-ink);
        text-decoration: none;
      }
      lb-find-button {
        flex: 1;
        min-width: 0;
        max-width: 34rem;
      }
      header lb-slot {
        display: flex;
        align-items: center;
        gap: var(--lb-space-2);
        /* Elements that are added there do not move the page. */
        height: 2.5rem;
        margin-inline-start: auto;
      }
      ::slotted(main) {
        flex: 1;
        outline: none;
      }
      /* Stays at the bottom of the window while pages change. */
      .dock {
        position: sticky;
        z-index: 15;
        bottom: 0;
      }
      @media (max-width: 719px) {
        .window {
          display: block;
        }
        .column {
          min-height: 100dvh;
        }
        .mark {
          display: inline-flex;
        }
        header {
          padding: var(--lb-space-2) var(--lb-gutter);
          padding-top: max(var(--lb-space-2), env(safe-area-inset-top));
        }
        .said {
          bottom: calc(5rem + env(safe-area-inset-bottom));
        }
        .dock {
          bottom: calc(4rem + 1px + env(safe-area-inset-bottom));
        }
        .column ::slotted(main) {
          padding-bottom: calc(4.5rem + env(safe-area-inset-bottom));
        }
      }
    `,
  ];

  /** The page is shown with navigation and search, not in the whole window. */
  #hasChrome(): boolean {
    return (
      this.longbox.session.state.value.kind === "signed-in" && (this.longbox.router.match.value.page?.chrome ?? true)
    );
  }

  override render() {
    const chrome = this.#hasChrome();
    return html`
      <div class=${chrome ? "window" : ""}>
        ${chrome ? html`<lb-navigation .longbox=${this.longbox}></lb-navigation>` : nothing}
        <div class=${chrome ? "column" : ""}>
          ${chrome ? html`${this.#header()}` : nothing}
          <slot></slot>
          ${chrome ? html`<lb-slot class="dock" name="dock" .longbox=${this.longbox}></lb-slot>` : nothing}
        </div>
      </div>
      <lb-shortcut-sheet></lb-shortcut-sheet>
      <div class="said">${toastList(this.longbox.toasts)}</div>
    `;
  }

  #header() {
    return html`<header>
      <a class="mark" href="/"
        ><span aria-hidden="true">LB</span><span class="hidden">${t("frame.longboxHome")}</span></a
      >
      <lb-find-button .open=${() => void this.#finder.open()}></lb-find-button>
      <lb-slot name="frame" .longbox=${this.longbox}></lb-slot>
      <lb-activity .longbox=${this.longbox}></lb-activity>
    </header>`;
  }
}
