import "@awesome.me/webawesome/dist/components/dialog/dialog.js";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { base, buttons, dialogs, forms } from "../styles/index.js";

export interface Question {
  heading: string;
  text: string;
  /** What the button that does it says. */
  action: string;
  danger?: boolean;
  /** A second thing that may be ticked. */
  option?: string;
}

export interface Answer {
  readonly option: boolean;
}

/** Asks before something that cannot be undone. Answers undefined when the user would rather not. */
export function confirm(question: Question): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const dialog = document.createElement("lb-confirm") as Confirm;
    dialog.question = question;
    dialog.answered = (answer) => {
      dialog.remove();
      resolve(answer);
    };
    document.body.append(dialog);
  });
}

@customElement("lb-confirm")
export class Confirm extends LitElement {
  @property({ attribute: false }) question!: Question;
  @property({ attribute: false }) answered: (answer: Answer | undefined) => void = () => undefined;
  @state() private open = true;
  #answer: Answer | undefined;
  #option = false;

  static override styles = [
    base,
    dialogs,
    buttons,
    forms,
    css`
      .check {
        margin-top: var(--lb-space-4);
      }
      .row {
        justify-content: end;
      }
    `,
  ];

  override render() {
    const { question } = this;
    return html`<wa-dialog label=${question.heading} ?open=${this.open} @wa-after-hide=${() => this.answered(this.#answer)}>
      <p>${question.text}</p>
      ${question.option ? html`<label class="check"><input type="checkbox" @change=${(event: Event) => (this.#option = (event.target as HTMLInputElement).checked)} />${question.option}</label>` : nothing}
      <div slot="footer" class="row">
        <button @click=${() => (this.open = false)}>Cancel</button>
        <button class=${question.danger ? "danger" : "primary"} @click=${this.#agree}>${question.action}</button>
      </div>
    </wa-dialog>`;
  }

  #agree(): void {
    this.#answer = { option: this.#option };
    this.open = false;
  }
}
