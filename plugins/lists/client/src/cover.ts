import { element } from "@longbox/sdk/ui";
import { css, html, LitElement, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";

/** A cover; without one a plain sleeve. */
@element("lists-cover")
export class ListsCover extends LitElement {
  /** The address on this server, without a width. */
  @property({ attribute: false }) path: string | null = null;
  /** What stands on the sleeve. */
  @property() label = "";
  @property({ type: Boolean, reflect: true }) missing = false;
  @state() private failed = false;

  static override styles = css`
    :host {
      display: block;
      position: relative;
      aspect-ratio: 2 / 3;
      overflow: hidden;
      border-radius: var(--lb-radius-s);
      background: var(--lb-line);
      box-shadow: var(--lb-shadow-1);
    }
    :host::after {
      content: "";
      position: absolute;
      inset: 0;
      border-radius: inherit;
      box-shadow: inset 0 0 0 1px rgb(0 0 0 / 0.14);
      pointer-events: none;
    }
    img {
      display: block;
      width: 100%;
      height: 100%;
      object-fit: cover;
    }
    :host([missing]) img {
      filter: grayscale(1);
      opacity: 0.45;
    }
    span {
      display: grid;
      place-content: center;
      height: 100%;
      padding: 2px;
      overflow: hidden;
      color: var(--lb-ink-soft);
      font: 600 var(--lb-text-xs) / 1.1 var(--lb-font-mono);
      text-align: center;
      overflow-wrap: anywhere;
    }
  `;

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("path")) this.failed = false;
  }

  override render(): TemplateResult {
    if (this.path === null || this.failed) return html`<span aria-hidden="true">${this.label}</span>`;
    return html`<img alt="" loading="lazy" decoding="async" src="${this.path}?w=160" srcset="${this.path}?w=160 1x, ${this.path}?w=320 2x" @error=${() => (this.failed = true)} />`;
  }
}
