import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";

/**
 * A modal dialog of the platform with a heading and a button that closes it; looks as `dialogs` says. What is in it is made when
 * it opens and gone when it closes.
 *
 * @example
 * readonly #dialog = new Dialog(this);
 * html`<button aria-haspopup="dialog" @click=${() => this.#dialog.open()}>Files</button>
 *   ${this.#dialog.render("Files", () => html`<p>…</p>`)}`
 */
export class Dialog implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #dialog = createRef<HTMLDialogElement>();
  #isOpen = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  hostConnected(): void {}

  /** An open dialog does not come back with its element. */
  hostDisconnected(): void {
    this.#isOpen = false;
  }

  /** Resolves once it can be seen. */
  async open(): Promise<void> {
    this.#isOpen = true;
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    const dialog = this.#dialog.value;
    if (dialog && !dialog.open) dialog.showModal();
  }

  close(): void {
    this.#dialog.value?.close();
  }

  render(heading: unknown, content: () => unknown): TemplateResult {
    return html`<dialog ${ref(this.#dialog)} aria-labelledby="dialog-heading" @close=${() => this.#closed()}>
      ${this.#isOpen
        ? html`<div class="dialog-head">
              <h2 id="dialog-heading">${heading}</h2>
              <button type="button" @click=${() => this.close()}>Close</button>
            </div>
            ${content()}`
        : nothing}
    </dialog>`;
  }

  #closed(): void {
    this.#isOpen = false;
    this.#host.requestUpdate();
  }
}
