import { element, submitted, t } from "@longbox/sdk/ui";
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
        ${t("preview.issuesOfThemHere", { total: preview.total, owned: preview.owned })}${unsure === 0 ? "" : html`; ${t("preview.haveNoIdIn", { unsure })}`}.
      </p>
      <ol class="rows" tabindex="0" aria-label=${t("preview.itemsOfTheList")}>
        ${preview.books.slice(0, shownBooks).map((book) => row(book))}
      </ol>
      ${preview.books.length > shownBooks ? html`<p class="soft">${t("preview.andMore", { books: preview.books.length - shownBooks })}</p>` : nothing}
      ${room(preview.listsLeft)}
      <form @submit=${this.#keep}>
        <label class="field"
          >${t("preview.name")}<input
            name="name"
            required
            maxlength="200"
            autocomplete="off"
            .value=${(preview.name ?? this.fallback).slice(0, 200)}
        /></label>
        <button class="primary" ?disabled=${this.busy || preview.listsLeft === 0}>${t("preview.keepIt")}</button>
        <button type="button" ?disabled=${this.busy} @click=${() => this.dispatchEvent(new CustomEvent("back"))}>
          ${t("preview.back")}
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
  if (listsLeft === 0) return html`<p class="problem" role="alert">${t("preview.youHaveAsMany")}</p>`;
  return listsLeft <= 5 ? html`<p class="soft">${t("preview.youCanKeepMore", { listsLeft })}</p>` : nothing;
}

function stateOf(book: PreviewBook): string {
  if (book.owned) return t("preview.here");
  if (book.inLibrary) return t("preview.knownNotOwned");
  if (book.hasId) return t("preview.notInTheLibrary");
  return book.series === "" || book.number === "" ? t("preview.cannotBeFound") : t("preview.toBeLookedUp");
}

function row(book: PreviewBook): TemplateResult {
  return html`<li>
    <span
      >${book.series || t("preview.noSeriesNamed")}
      ${issueLabel(book.number)}${book.volume ? html` <span class="facts">(${book.volume})</span>` : nothing}</span
    >
    <span class="facts state">${stateOf(book)}</span>
  </li>`;
}
