import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { focusedElement, refocus } from "../focus.js";
import { icon } from "../icons/icon.js";
import { t } from "../language/translate.js";

let opened = 0;

/**
 * What a form begins with, where a keyboard on the screen would not cover it. The button that closes the dialog comes
 * before it. A field of a search keeps Escape for itself.
 */
const firstField =
  "form :is(input:not([type='search'], [type='checkbox'], [type='radio'], [type='file'], [type='hidden']), textarea, select)";

/** How a dialog differs from the usual one. */
export interface DialogOptions {
  /** Its class; `side` stands at the side of the window, from top to bottom. */
  readonly look?: string;
  /** Between the heading and the button that closes it. */
  readonly tools?: unknown;
  /** A press beside it closes it: for what holds nothing that could be lost. */
  readonly closesOutside?: boolean;
  /** Called when it has closed and the focus is back. */
  readonly closed?: () => void;
}

/**
 * A modal dialog of the platform with a heading and a button that closes it; styled by `dialogs`. What is in it is made
 * when it opens and gone when it closes; then the focus returns to where it was.
 *
 * @example
 * readonly #dialog = new Dialog(this);
 * html`<button aria-haspopup="dialog" @click=${() => this.#dialog.open()}>Files</button>
 *   ${this.#dialog.render("Files", () => html`<p>…</p>`)}`
 */
export class Dialog implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #dialog = createRef<HTMLDialogElement>();
  readonly #headingId = `dialog-heading-${++opened}`;
  #isOpen = false;
  #isShown = false;
  #before: HTMLElement | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** False as soon as it is closed, before the event that tells of it. */
  get isOpen(): boolean {
    return this.#isShown ? (this.#dialog.value?.open ?? false) : this.#isOpen;
  }

  hostConnected(): void {}

  /** An open dialog does not come back with its element. */
  hostDisconnected(): void {
    this.#isOpen = false;
    this.#isShown = false;
  }

  /** Resolves once it can be seen. */
  async open(): Promise<void> {
    if (!this.#isOpen) this.#before = focusedElement();
    this.#isOpen = true;
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    const dialog = this.#dialog.value;
    if (!dialog || dialog.open) return;
    dialog.showModal();
    this.#isShown = true;
    if (matchMedia("(pointer: fine)").matches) dialog.querySelector<HTMLElement>(firstField)?.focus();
  }

  close(): void {
    this.#dialog.value?.close();
  }

  render(heading: unknown, content: () => unknown, options: DialogOptions = {}): TemplateResult {
    const { look, tools = nothing, closesOutside = false, closed } = options;
    return html`<dialog
      ${ref(this.#dialog)}
      class=${look ?? nothing}
      aria-labelledby=${this.#headingId}
      @close=${() => {
        this.#closed();
        closed?.();
      }}
      @click=${closesOutside ? closeOutside : nothing}
    >
      ${
        this.#isOpen
          ? html`<div class="dialog-head">
                <h2 id=${this.#headingId}>${heading}</h2>
                ${tools}
                <button
                  type="button"
                  class="quiet round"
                  aria-label=${t(["kit:close", "Close"])}
                  title=${t(["kit:close", "Close"])}
                  @click=${() => this.close()}
                >
                  ${icon("close")}
                </button>
              </div>
              ${content()}`
          : nothing
      }
    </dialog>`;
  }

  #closed(): void {
    this.#isOpen = false;
    this.#isShown = false;
    refocus(this.#before);
    this.#before = undefined;
    this.#host.requestUpdate();
  }
}

function closeOutside({ target, currentTarget, clientX, clientY }: MouseEvent): void {
  const dialog = currentTarget as HTMLDialogElement;
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  const isOutside = clientX < left || clientX > right || clientY < top || clientY > bottom;
  if (target === dialog && isOutside) dialog.close();
}
