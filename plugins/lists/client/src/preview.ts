import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Preview, PreviewBook } from "./shapes.js";
import { style } from "./style.js";
import { counted, issueNumber } from "./wording.js";

const shownBooks = 300;

/** What a list file holds, before it is kept. Fires `keep` with the name, and `back`. */
@customElement("lists-preview")
export class ListsPreview extends LitElement {
  @property({ attribute: false }) preview!: Preview;
  /** The name where the file gives none. */
  @property({ attribute: false }) fallback = "";
  @property({ type: Boolean }) busy = false;

  static override styles = [
    style,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-4);
      }
      ol {
        max-height: 24rem;
        overflow-y: auto;
        border-block: 1px solid var(--lb-line);
      }
      li {
        display: flex;
        gap: var(--lb-space-3);
        justify-content: space-between;
        padding: var(--lb-space-2) var(--lb-space-1);
      }
      li + li {
        border-top: 1px solid var(--lb-line);
      }
      li > :first-child {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .state {
        flex: none;
      }
    `,
  ];

  override render(): TemplateResult {
    const { preview } = this;
    const unsure = preview.books.filter((book) => book.cvIssueId === undefined).length;
    return html`<p class="soft">
        ${counted(preview.total, "issue", "issues")}, ${preview.owned.toLocaleString()} of them here${unsure === 0 ? "" : html`; ${counted(unsure, "has", "have")} no id in the file and will be looked up by name`}.
      </p>
      <ol tabindex="0" aria-label="Issues of the list">${preview.books.slice(0, shownBooks).map((book) => row(book))}</ol>
      ${preview.books.length > shownBooks ? html`<p class="soft">And ${(preview.books.length - shownBooks).toLocaleString()} more.</p>` : nothing}
      <form @submit=${this.#keep}>
        <label>Name<input name="name" required maxlength="200" autocomplete="off" .value=${(preview.name ?? this.fallback).slice(0, 200)} /></label>
        <button class="strong" ?disabled=${this.busy}>Keep it</button>
        <button type="button" ?disabled=${this.busy} @click=${() => this.dispatchEvent(new CustomEvent("back"))}>Back</button>
      </form>`;
  }

  #keep(event: SubmitEvent): void {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    if (name !== "") this.dispatchEvent(new CustomEvent("keep", { detail: name }));
  }
}

function row(book: PreviewBook): TemplateResult {
  const state = book.owned ? "here" : book.inLibrary ? "known, not owned" : book.hasId ? "not in the library" : book.cvIssueId === undefined ? "to be looked up" : "known";
  return html`<li>
    <span>${book.series || "No series named"} ${issueNumber(book.number)}${book.volume ? html` <span class="facts">(${book.volume})</span>` : nothing}</span>
    <span class="facts state">${state}</span>
  </li>`;
}
