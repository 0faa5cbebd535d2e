import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { base, type } from "../styles/index.js";

/** The front of a long box with a form on it, for the sign-in and registration pages. */
@customElement("lb-box-front")
export class BoxFront extends LitElement {
  @property() heading = "";
  @property() step = "";
  @property({ type: Boolean, reflect: true }) wide = false;

  static override styles = [
    base,
    type,
    css`
      :host {
        display: grid;
        min-height: 100dvh;
        place-items: center;
        padding: var(--lb-space-5) var(--lb-space-4);
      }
      .box {
        width: min(100%, 27rem);
      }
      :host([wide]) .box {
        width: min(100%, 40rem);
      }
      .lid {
        display: flex;
        align-items: center;
        justify-content: space-between;
        padding: var(--lb-space-3) var(--lb-space-5);
        border: 2px solid var(--lb-ink);
        border-radius: var(--lb-radius-m) var(--lb-radius-m) 0 0;
        margin: 0 -8px;
        background: var(--lb-surface);
        font: 800 1.5rem / 1 var(--lb-font-display);
        letter-spacing: calc(0.08em * var(--lb-tracking, 1));
        text-transform: uppercase;
      }
      .lid .label {
        letter-spacing: calc(0.04em * var(--lb-tracking, 1));
      }
      .front {
        padding: var(--lb-space-5) var(--lb-space-5) var(--lb-space-6);
        border: 2px solid var(--lb-ink);
        border-top: 0;
        background: var(--lb-surface);
        box-shadow: var(--lb-shadow-2);
      }
      .hole {
        width: 5.5rem;
        height: 1.375rem;
        margin: 0 auto var(--lb-space-5);
        border-radius: 999px;
        background: var(--lb-ink);
      }
      h1 {
        margin-bottom: var(--lb-space-4);
        font-size: clamp(2rem, 8vw, 2.75rem);
      }
    `,
  ];

  override render() {
    return html`<div class="box">
      <div class="lid"><span>Longbox</span><span class="label">${this.step}</span></div>
      <div class="front">
        <div class="hole" aria-hidden="true"></div>
        <h1>${this.heading}</h1>
        <slot></slot>
      </div>
    </div>`;
  }
}
