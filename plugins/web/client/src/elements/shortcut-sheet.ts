import "@awesome.me/webawesome/dist/components/dialog/dialog.js";
import { css, html, LitElement } from "lit";
import { customElement, state } from "lit/decorators.js";
import { shortcuts } from "../shell/shortcut-keys.js";
import { base, dialogs } from "../styles/index.js";

/** The keys, on a sheet. */
@customElement("lb-shortcut-sheet")
export class ShortcutSheet extends LitElement {
  @state() private open = false;

  static override styles = [
    base,
    dialogs,
    css`
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--lb-space-2) var(--lb-space-4);
      }
      dt {
        text-align: end;
      }
      kbd {
        display: inline-block;
        min-width: 1.75em;
        padding: 2px 6px;
        border: 1px solid var(--lb-line);
        border-bottom-width: 2px;
        border-radius: var(--lb-radius-s);
        background: var(--lb-page);
        font: 600 var(--lb-text-s) / 1.3 var(--lb-font-mono);
        text-align: center;
      }
    `,
  ];

  show(): void {
    this.open = true;
  }

  override render() {
    return html`<wa-dialog label="Keyboard" ?open=${this.open} light-dismiss @wa-after-hide=${() => (this.open = false)}>
      <dl>${shortcuts.map(({ keys, does }) => html`<dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${does}</dd>`)}</dl>
    </wa-dialog>`;
  }
}
