import { t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { controlsStyle } from "./chrome/controls-style.js";
import type { OpenIssue } from "@longbox/reader/api";

/** The card after the last page. Dispatches `next` and `dismiss`. */
@customElement("longbox-reader-end")
export class ReaderEnd extends LitElement {
  @property({ attribute: false }) issue!: OpenIssue;

  static override styles = [
    controlsStyle,
    css`
      :host {
        position: absolute;
        inset: 0;
        display: grid;
        place-items: center;
        padding: var(--lb-space-5);
        background: color-mix(in oklab, var(--lb-page) 82%, transparent);
        backdrop-filter: blur(6px);
        color: var(--lb-ink);
        font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
      }
      .card {
        display: grid;
        justify-items: center;
        gap: var(--lb-space-3);
        max-width: 24rem;
        text-align: center;
      }
      h2 {
        margin: 0;
        font: 700 var(--lb-text-xl) / 1.1 var(--lb-font-display);
      }
      p {
        margin: 0;
        color: var(--lb-ink-soft);
      }
      img {
        width: min(46vw, 200px);
        aspect-ratio: 2 / 3;
        object-fit: cover;
        border-radius: var(--lb-radius-s);
        background: var(--lb-line);
        box-shadow: var(--lb-shadow-2);
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        gap: var(--lb-space-2);
      }
    `,
  ];

  /** The main button has the focus, so that Enter continues. */
  override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>(".strong")?.focus();
  }

  override render() {
    const { next } = this.issue.neighbours;
    return html`<div class="card" role="group" aria-label=${t("endCard.theEnd")}>
      <p>${t("endCard.youFinished", { full: this.issue.label.full })}</p>
      ${
        next
          ? html`<h2>
                ${t("endCard.next", { short: next.label.short })}${next.label.within ? html` — ${next.label.within}` : nothing}
              </h2>
              <img src="${next.cover}?w=320" alt="" />`
          : html`<h2>${t("endCard.youHaveReachedThe")}</h2>`
      }
      <div class="row">
        ${next ? html`<button class="strong" type="button" @click=${() => this.#say("next")}>${t("endCard.read", { short: next.label.short })}</button>` : nothing}
        <button class=${next ? "plain" : "strong"} type="button" @click=${() => this.#say("close")}>
          ${t("endCard.close")}
        </button>
        <button class="plain" type="button" @click=${() => this.#say("dismiss")}>${t("endCard.backToTheLast")}</button>
      </div>
    </div>`;
  }

  #say(name: string): void {
    this.dispatchEvent(new CustomEvent(name));
  }
}
