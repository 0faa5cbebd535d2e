import { count, element, number, submitted } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Preview, PreviewBook } from "@longbox/lists/api";
import { rowStyle, style } from "./style.js";
import { issueLabel } from "@longbox/collection/client";

const shownBooks = 300;

/** The content of a list file before it is saved. Dispatches `keep` with the name, and `back`. */
@element("lists-preview")
export class ListsPreview extends LitElement {
  @property({ attribute: false }) preview!: Preview;
  /** The name where the file gives none. */
  @property({ attribute: false }) fallback = "";
  @property({ type: Boolean }) busy = false;

  static override styles = [
    style,
    rowStyle,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-4);
      }
    `,
  ];

  override render(): TemplateResult {
    const { preview } = this;
    const unsure = preview.books.filter(
      (book) => book.cvIssueId === undefined && book.series !== "" && book.number !== "",
    ).length;
    return html`<p class="soft">
        ${count(preview.total, "issue")}, ${number(preview.owned)} of them
        here${unsure === 0 ? "" : html`; ${count(unsure, "has", "have")} no id in the file and will be looked up by name`}.
      </p>
      <ol class="rows" tabindex="0" aria-label="Items of the list">
        ${preview.books.slice(0, shownBooks).map((book) => row(book))}
      </ol>
      ${preview.books.length > shownBooks ? html`<p class="soft">And ${number(preview.books.length - shownBooks)} more.</p>` : nothing}
      ${room(preview.listsLeft)}
      <form @submit=${this.#keep}>
        <label class="field"
          >Name<input
            name="name"
            required
            maxlength="200"
            autocomplete="off"
            .value=${(preview.name ?? this.fallback).slice(0, 200)}
        /></label>
        <button class="primary" ?disabled=${this.busy || preview.listsLeft === 0}>Keep it</button>
        <button type="button" ?disabled=${this.busy} @click=${() => this.dispatchEvent(new CustomEvent("back"))}>
          Back
        </button>
      </form>`;
  }

  #keep(event: SubmitEvent): void {
    const name = submitted(event)["name"]?.trim() ?? "";
    if (name !== "") this.dispatchEvent(new CustomEvent("keep", { detail: name }));
  }
}

/** Said once there is little room left. */
function room(listsLeft: number) {
  if (listsLeft === 0)
    return html`<p class="problem" role="alert">
      You have as many lists as one user can keep. Remove one to keep this one.
    </p>`;
  return listsLeft <= 5
    ? html`<p class="soft">You can keep ${count(listsLeft, "more list", "more lists")}.</p>`
    : nothing;
}

function stateOf(book: PreviewBook): string {
  if (book.owned) return "here";
  if (book.inLibrary) return "known, not owned";
  if (book.hasId) return "not in the library";
  return book.series === "" || book.number === "" ? "cannot be found" : "to be looked up";
}

function row(book: PreviewBook): TemplateResult {
  return html`<li>
    <span
      >${book.series || "No series named"}
      ${issueLabel(book.number)}${book.volume ? html` <span class="facts">(${book.volume})</span>` : nothing}</span
    >
    <span class="facts state">${stateOf(book)}</span>
  </li>`;
}
