import { rich } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { base } from "../styles/index.js";

/** Says that the device has no connection, and where what is saved on it can be found. */
@customElement("lb-connection-line")
export class ConnectionLine extends LitElement {
  static override styles = [
    base,
    css`
      p {
        margin: 0;
        padding: var(--lb-space-2) var(--lb-gutter, var(--lb-space-4));
        border-bottom: 1px solid var(--lb-line);
        background: var(--lb-accent-soft);
        color: var(--lb-ink);
      }
      a {
        color: inherit;
        font-weight: 600;
      }
    `,
  ];
  @state() private isOnline = navigator.onLine;
  readonly #look = () => (this.isOnline = navigator.onLine);

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("online", this.#look);
    addEventListener("offline", this.#look);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("online", this.#look);
    removeEventListener("offline", this.#look);
  }

  override render() {
    if (this.isOnline) return nothing;
    return html`<p role="status">
      ${rich("connectionLine.thisDeviceHasNo", { link: (inside: unknown) => html`<a href="/offline">${inside}</a>` })}
    </p>`;
  }
}
