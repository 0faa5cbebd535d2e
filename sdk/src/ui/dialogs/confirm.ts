import { html, nothing, type TemplateResult } from "lit";
import { focusedElement, refocus } from "../focus.js";
import { base } from "../styles/base.js";
import { buttons } from "../styles/buttons.js";
import { dialogs } from "../styles/dialogs.js";
import { fields } from "../styles/fields.js";
import { headings } from "../styles/headings.js";
import { layout } from "../styles/layout.js";
import { overlay } from "./overlay.js";
import { t } from "../language/translate.js";

export interface Question {
  readonly heading: string;
  readonly text: string;
  /** What would happen to what, such as the files that would be moved: one line each. */
  readonly plan?: readonly string[];
  /** The label of the confirming button: a verb. */
  readonly action: string;
  /** It destroys something, or cannot be undone. */
  readonly isDangerous?: boolean;
  /** An additional checkbox. */
  readonly option?: string;
}

export interface Answer {
  /** Whether the checkbox was checked. */
  readonly option: boolean;
}

/** Asks for confirmation. Resolves with undefined when the user cancels; the focus returns to where it was. */
export function confirm(question: Question): Promise<Answer | undefined> {
  const before = focusedElement();
  const over = overlay([base, headings, layout, buttons, fields, dialogs], before);
  return new Promise((resolve) => {
    const closed = ({ target }: Event) => {
      const dialog = target as HTMLDialogElement;
      const option = dialog.querySelector("input")?.checked ?? false;
      over.remove();
      refocus(before);
      resolve(dialog.returnValue === "yes" ? { option } : undefined);
    };
    over.draw(template(question, closed));
    over.root.querySelector("dialog")?.showModal();
  });
}

function template(
  { heading, text, plan, action, isDangerous, option }: Question,
  closed: (event: Event) => void,
): TemplateResult {
  return html`<dialog class="small" aria-labelledby="heading" aria-describedby="text" @close=${closed}>
    <h2 id="heading">${heading}</h2>
    <p id="text">${text}</p>
    ${
      plan
        ? html`<ul class="plan" tabindex="0" aria-labelledby="heading">
            ${plan.map((line) => html`<li>${line}</li>`)}
          </ul>`
        : nothing
    }
    <form method="dialog" class="stack">
      ${option ? html`<label class="check"><input type="checkbox" />${option}</label>` : nothing}
      <div class="row end">
        <button value="no" ?autofocus=${plan !== undefined}>${t(["kit:cancel", "Cancel"])}</button>
        <button value="yes" class=${isDangerous ? "danger" : "primary"}>${action}</button>
      </div>
    </form>
  </dialog>`;
}
