import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { base, type } from "../styles/index.js";
import "./icon.js";

/** A row of covers that runs out of the window, under a heading that leads to all of them. */
@customElement("lb-strip")
export class Strip extends LitElement {
  @property() heading = "";
  @property() href = "";

  static override styles = [
    base,
    type,
    css`
      :host {
        display: block;
      }
      h2 {
        margin-bottom: var(--lb-space-2);
        font-size: var(--lb-text-l);
      }
      h2 a {
        display: inline-flex;
        align-items: center;
        gap: var(--lb-space-1);
        color: inherit;
        text-decoration: none;
      }
      h2 lb-icon {
        width: 0.7em;
        color: var(--lb-ink-soft);
        transition: transform var(--lb-fast);
      }
      h2 a:hover lb-icon {
        transform: translateX(4px);
      }
      .row {
        display: grid;
        grid-auto-columns: clamp(7rem, 30vw, 10.5rem);
        grid-auto-flow: column;
        gap: clamp(var(--lb-space-3), 1.4vw, 20px);
        margin: 0 calc(-1 * var(--lb-gutter, 16px));
        padding: 8px var(--lb-gutter, 16px) var(--lb-space-2);
        overflow-x: auto;
        scroll-padding-inline: var(--lb-gutter, 16px);
        scroll-snap-type: x proximity;
        scrollbar-width: thin;
      }
      ::slotted(*) {
        min-width: 0;
        scroll-snap-align: start;
      }
    `,
  ];

  override render() {
    return html`<section aria-label=${this.heading}>
      <h2><a href=${this.href}>${this.heading}<lb-icon name="next"></lb-icon></a></h2>
      <div class="row" @keydown=${this.#key}><slot></slot></div>
    </section>`;
  }

  #key(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const links = (this.renderRoot.querySelector("slot")?.assignedElements() ?? []).flatMap((cell) => [...cell.querySelectorAll("a")]);
    const at = links.indexOf(event.target as HTMLAnchorElement);
    const next = links[at + step];
    if (at === -1 || !next) return;
    event.preventDefault();
    next.focus();
  }
}
