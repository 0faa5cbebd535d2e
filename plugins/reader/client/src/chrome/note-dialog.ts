import { t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import type { PageNotes } from "../page-notes.js";
import { controlsStyle } from "./controls-style.js";

/** How many characters a note may have. */
const longestNote = 4000;

/** A note on a page, which only its author sees. */
@customElement("longbox-reader-note")
export class ReaderNote extends LitElement {
  @state() private page = 0;
  @state() private text = "";
  @state() private problem = "";
  @query("dialog") private dialog!: HTMLDialogElement;
  #notes: PageNotes | undefined;

  static override styles = [
    controlsStyle,
    css`
      dialog {
        width: min(30rem, calc(100vw - 2rem));
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
      label {
        font: 700 var(--lb-text-l) / 1.2 var(--lb-font-display);
      }
      textarea {
        width: 100%;
        min-height: 8rem;
        margin: var(--lb-space-3) 0;
        padding: var(--lb-space-3);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
        color: inherit;
        font: inherit;
        resize: vertical;
      }
      footer {
        display: flex;
        justify-content: end;
        gap: var(--lb-space-2);
      }
      p {
        margin: 0 0 var(--lb-space-3);
        color: var(--lb-danger);
      }
    `,
  ];

  get isOpen(): boolean {
    return this.dialog?.open ?? false;
  }

  show(notes: PageNotes, page: number): void {
    this.#notes = notes;
    this.page = page;
    this.text = notes.textOf(page);
    this.problem = "";
    this.dialog.showModal();
  }

  override render() {
    return html`<dialog aria-labelledby="label">
      <form @submit=${this.#save}>
        <label id="label" for="text">${t("noteDialog.noteOnPage", { page: this.page + 1 })}</label>
        <textarea
          id="text"
          maxlength=${longestNote}
          .value=${this.text}
          @input=${(event: Event) => (this.text = (event.target as HTMLTextAreaElement).value)}
        ></textarea>
        ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
        <footer>
          <button class="plain" type="button" @click=${() => this.dialog.close()}>${t("noteDialog.cancel")}</button>
          <button class="strong" type="submit">${t("noteDialog.save")}</button>
        </footer>
      </form>
    </dialog>`;
  }

  readonly #save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      await this.#notes?.write(this.page, this.text.trim());
      this.dialog.close();
    } catch {
      this.problem = t("noteDialog.theNoteCouldNot");
    }
  };
}
