import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { coverAddress } from "@longbox/sdk/ui";

/** A blurred cover behind the heading of a page. */
@customElement("lb-backdrop")
export class Backdrop extends LitElement {
  @property({ attribute: false }) path: string | null | undefined;

  static override styles = css`
    :host {
      position: absolute;
      z-index: -1;
      inset: 0 0 auto;
      height: 26rem;
      overflow: hidden;
      opacity: 0.2;
      pointer-events: none;
      mask-image: linear-gradient(#000, transparent);
    }
    img {
      width: 100%;
      height: 100%;
      object-fit: cover;
      filter: blur(56px) saturate(1.5);
      transform: scale(1.3);
    }
  `;

  override render() {
    if (!this.path) return nothing;
    return html`<img
      alt=""
      src=${coverAddress(this.path, 160)}
      @error=${(event: Event) => ((event.target as HTMLElement).hidden = true)}
    />`;
  }
}
