import { css, html, LitElement } from "lit";
import { customElement, query } from "lit/decorators.js";
import { controlsStyle } from "./controls-style.js";
import { icon } from "./icons.js";
import { shortcuts } from "./shortcuts.js";

/** The keys and gestures. */
@customElement("longbox-reader-help")
export class ReaderHelp extends LitElement {
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    controlsStyle,
    css`
      dialog {
        width: min(34rem, calc(100vw - 2rem));
        max-height: calc(100dvh - 2rem);
        padding: var(--lb-space-5);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-l);
        background: var(--lb-raised);
        color: var(--lb-ink);
        box-shadow: var(--lb-shadow-2);
        font: 400 var(--lb-text-s) / 1.5 var(--lb-font-text);
      }
      dialog::backdrop {
        background: rgb(0 0 0 / 0.5);
      }
      header {
        display: flex;
        justify-content: space-between;
        align-items: center;
      }
      h2 {
        margin: 0;
        font: 700 var(--lb-text-l) / 1.2 var(--lb-font-display);
      }
      dl {
        display: grid;
        grid-template-columns: max-content 1fr;
        gap: var(--lb-space-2) var(--lb-space-4);
        margin: var(--lb-space-4) 0;
      }
      dt {
        font-family: var(--lb-font-mono);
        color: var(--lb-accent);
      }
      dd {
        margin: 0;
      }
      p {
        margin: 0;
        color: var(--lb-ink-soft);
      }
    `,
  ];

  get isOpen(): boolean {
    return this.dialog?.open ?? false;
  }

  show(): void {
    if (!this.isOpen) this.dialog.showModal();
  }

  close(): void {
    this.dialog.close();
  }

  override render() {
    return html`<dialog aria-labelledby="title">
      <header>
        <h2 id="title">Keys and gestures</h2>
        <button class="plain" type="button" aria-label="Close the help" @click=${() => this.close()}>
          ${icon("close")}
        </button>
      </header>
      <dl>
        ${shortcuts.flatMap(({ help }) =>
          help
            ? [
                html`<dt>${help[0]}</dt>
                  <dd>${help[1]}</dd>`,
              ]
            : [],
        )}
      </dl>
      <p>
        Tap the sides to turn the page and the middle for the controls. Swipe to turn, pinch or tap the middle twice to
        zoom. The wheel moves the page and turns it at its end; with Ctrl it zooms.
      </p>
    </dialog>`;
  }
}
