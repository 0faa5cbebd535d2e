import { html } from "lit";
import { focusedElement, refocus } from "../focus.js";
import { icon } from "../icons/icon.js";
import { base } from "../styles/base.js";
import { buttons } from "../styles/buttons.js";
import { dialogs } from "../styles/dialogs.js";
import { headings } from "../styles/headings.js";
import { overlay } from "./overlay.js";
import { t } from "../language/translate.js";

export interface ShownDialog {
  readonly heading: string;
  /** An element that is not in the page yet; it closes the dialog with the event `done`. */
  readonly content: HTMLElement;
}

/** Shows an element in a dialog of its own. Resolves when the dialog is closed; the focus returns to where it was. */
export function showDialog({ heading, content }: ShownDialog): Promise<void> {
  const before = focusedElement();
  const over = overlay([base, headings, buttons, dialogs], before);
  return new Promise((resolve) => {
    const dialog = () => over.root.querySelector("dialog");
    const closed = (): void => {
      over.remove();
      refocus(before);
      resolve();
    };
    content.addEventListener("done", () => dialog()?.close());
    over.draw(
      html`<dialog aria-labelledby="heading" @close=${closed}>
        <div class="dialog-head">
          <h2 id="heading">${heading}</h2>
          <button
            type="button"
            class="quiet round"
            aria-label=${t(["kit:close", "Close"])}
            title=${t(["kit:close", "Close"])}
            @click=${() => dialog()?.close()}
          >
            ${icon("close")}
          </button>
        </div>
        ${content}
      </dialog>`,
    );
    dialog()?.showModal();
  });
}
