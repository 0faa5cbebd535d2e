import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { base, buttons, type } from "../styles/index.js";
import "./icon.js";

const centred = css`
  :host {
    display: grid;
    place-items: center;
    padding: var(--lb-space-7) var(--lb-space-4);
    text-align: center;
  }
  div {
    display: grid;
    justify-items: center;
    gap: var(--lb-space-3);
    max-width: 30rem;
  }
  .box {
    width: 7rem;
    color: var(--lb-ink-soft);
  }
`;

/** Something could not be shown, and what to do about it. */
@customElement("lb-failure")
export class Failure extends LitElement {
  @property() message = "";

  static override styles = [base, type, buttons, centred];

  override render() {
    return html`<div role="alert">
      <lb-icon name="warning" class="box"></lb-icon>
      <h2>That did not work</h2>
      <p class="soft">${this.message}</p>
      <button @click=${() => this.dispatchEvent(new CustomEvent("retry"))}><lb-icon name="scan"></lb-icon>Try again</button>
    </div>`;
  }
}

/** There is nothing here yet, and how to change that. */
@customElement("lb-empty")
export class Empty extends LitElement {
  @property() heading = "";
  /** It is the whole page, and its heading is the page's. */
  @property({ type: Boolean }) page = false;

  static override styles = [
    base,
    type,
    buttons,
    centred,
    css`
      h1 {
        font-size: var(--lb-text-xl);
      }
    `,
  ];

  override render() {
    return html`<div>
      <svg class="box" viewBox="0 0 120 80" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linejoin="round" aria-hidden="true">
        <path d="M8 28h104l-6 48H14z" />
        <path d="M8 28 20 10h80l12 18" />
        <rect x="44" y="42" width="32" height="12" rx="6" />
      </svg>
      ${this.page ? html`<h1>${this.heading}</h1>` : html`<h2>${this.heading}</h2>`}
      <div class="soft"><slot></slot></div>
      <slot name="action"></slot>
    </div>`;
  }
}

/** Holds the place of what has not arrived. */
export function skeleton(kind: "wall" | "text") {
  return kind === "wall" ? html`<div class="skeleton-wall" aria-hidden="true">${Array.from({ length: 12 }, () => html`<i></i>`)}</div>` : html`<div class="skeleton-text" aria-hidden="true"><i></i><i></i><i></i></div>`;
}

/** While a page's own resource is on its way, or could not be had. */
export const untilThere = {
  waiting: skeleton("text"),
  failed: (message: string, retry: () => void) => html`<lb-failure message=${message} @retry=${retry}></lb-failure>`,
};
