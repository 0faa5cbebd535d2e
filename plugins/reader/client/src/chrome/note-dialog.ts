import { base, buttons, Dialog, dialogs, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { PageNotes } from "../page-notes.js";

/** How many characters a note may have. */
const longestNote = 4000;

/** A note on a page, which only its author sees. */
@customElement("longbox-reader-note")
export class ReaderNote extends LitElement {
  @state() private page = 0;
  @state() private text = "";
  @state() private problem = "";
  readonly #dialog = new Dialog(this);
  #notes: PageNotes | undefined;

  static override styles = [
    base,
    buttons,
    dialogs,
    css`
      @media (width >= 40rem) {
        dialog {
          width: 30rem;
        }
      }
      h2 {
        font: 700 var(--lb-text-l) / 1.2 var(--lb-font-display);
      }
      textarea {
        width: 100%;
        min-height: 8rem;
        padding: var(--lb-space-3);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-raised);
        color: inherit;
        font: inherit;
        resize: vertical;
      }
      footer {
        display: flex;
        justify-content: end;
        gap: var(--lb-space-2);
        margin-top: var(--lb-space-3);
      }
      p {
        margin: var(--lb-space-2) 0 0;
        color: var(--lb-danger);
      }
    `,
  ];

  get isOpen(): boolean {
    return this.#dialog.isOpen;
  }

  show(notes: PageNotes, page: number): void {
    this.#notes = notes;
    this.page = page;
    this.text = notes.textOf(page);
    this.problem = "";
    void this.#dialog.open();
  }

  override render(): TemplateResult {
    const heading = t("noteDialog.noteOnPage", { page: this.page + 1 });
    return this.#dialog.render(heading, () => this.#form(heading));
  }

  #form(heading: string): TemplateResult {
    return html`<form @submit=${this.#save}>
      <textarea
        aria-label=${heading}
        maxlength=${longestNote}
        .value=${this.text}
        @input=${(event: Event) => (this.text = (event.target as HTMLTextAreaElement).value)}
      ></textarea>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      <footer>
        <button type="button" @click=${() => this.#dialog.close()}>${t("noteDialog.cancel")}</button>
        <button class="primary" type="submit">${t("noteDialog.save")}</button>
      </footer>
    </form>`;
  }

  readonly #save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      await this.#notes?.write(this.page, this.text.trim());
      this.#dialog.close();
    } catch {
      this.problem = t("noteDialog.theNoteCouldNot");
    }
  };
}
