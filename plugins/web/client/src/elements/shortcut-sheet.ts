import { Dialog, t } from "@longbox/sdk/ui";
import { css, html, LitElement } from "lit";
import { customElement } from "lit/decorators.js";
import { shortcuts } from "../shell/shortcut-keys.js";
import { base, buttons, dialogs } from "../styles/index.js";

/** The list of keyboard shortcuts. */
@customElement("lb-shortcut-sheet")
export class ShortcutSheet extends LitElement {
  readonly #dialog = new Dialog(this);

  static override styles = [
    base,
    buttons,
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
    void this.#dialog.open();
  }

  override render() {
    return this.#dialog.render(
      t("shortcutSheet.keyboard"),
      () =>
        html`<dl>
          ${shortcuts.map(
            ({ keys, does }) =>
              html`<dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt>
                <dd>${does}</dd>`,
          )}
        </dl>`,
    );
  }
}
