import type { AudiobookBookmark } from "@longbox/audiobooks/api";
import { Action, element, field, icon, LongboxElement, notices, standard, submitted, t } from "@longbox/sdk/ui";
import { css, html, nothing, type PropertyValues } from "lit";
import { clock } from "../player/timeline.js";
import { playerStyles } from "./player-styles.js";

interface Subject {
  readonly issueId?: number;
  readonly bookmarks?: readonly AudiobookBookmark[];
}

/** The bookmarks in a book: to go to, to change, to remove. Tells the position of a chosen one with `choose`. */
@element("audiobooks-bookmarks")
export class BookmarkList extends LongboxElement<Subject> {
  static override properties = { editing: { state: true } };
  static override styles = [
    standard,
    notices,
    playerStyles,
    css`
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        border-top: 1px solid var(--lb-line);
      }
      .place {
        flex: 1;
        justify-content: flex-start;
        min-width: 0;
        padding-inline: var(--lb-space-2);
        border-radius: 0;
        text-align: start;
      }
      .name {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      form {
        flex: 1;
        align-items: end;
        padding-block: var(--lb-space-3);
      }
    `,
  ];
  /** The id of the bookmark whose note is being changed. */
  declare editing: number | undefined;

  readonly #action = new Action(this);

  override render() {
    const { bookmarks = [] } = this.subject;
    if (bookmarks.length === 0) return html`<p class="soft">${t("bookmarkList.noBookmarksYet")}</p>`;
    return html`${this.#action.problem ? html`<p class="problem" role="alert">${this.#action.problem}</p>` : nothing}
      <ul>
        ${bookmarks.map((one) => html`<li>${one.id === this.editing ? this.#form(one) : this.#row(one)}</li>`)}
      </ul>`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has("editing")) return;
    const before = changed.get("editing");
    if (this.editing !== undefined) this.renderRoot.querySelector("input")?.select();
    else if (before !== undefined) this.renderRoot.querySelector<HTMLElement>(`[data-edit="${before}"]`)?.focus();
  }

  #row({ id, position, note }: AudiobookBookmark) {
    const at = clock(position);
    const choose = () => this.dispatchEvent(new CustomEvent<number>("choose", { detail: position }));
    return html`<button class="place quiet" @click=${choose}>
        <span class="time">${at}</span><span class="name">${note || t("bookmarkList.bookmark")}</span>
      </button>
      <button
        class="round quiet"
        aria-label=${t("bookmarkList.editTheNoteAt", { time: at })}
        title=${t("bookmarkList.editTheNote")}
        data-edit=${id}
        @click=${() => (this.editing = id)}
      >
        ${icon("edit")}
      </button>
      <button
        class="round quiet"
        aria-label=${t("bookmarkList.removeTheBookmarkAt", { time: at })}
        title=${t("bookmarkList.remove")}
        @click=${() => this.#action.run(() => this.longbox.api(`/api/audiobooks/bookmarks/${id}`, { method: "DELETE" }))}
      >
        ${icon("trash")}
      </button>`;
  }

  #form({ id, position, note }: AudiobookBookmark) {
    const save = async (event: SubmitEvent) => {
      const bookmark = { id, position, note: String(submitted(event)["note"] ?? "").trim() };
      const path = `/api/audiobooks/issue/${this.subject.issueId}/bookmarks`;
      const isSaved = await this.#action.run(() => this.post(path, bookmark));
      if (isSaved && this.editing === id) this.editing = undefined;
    };
    const leave = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.editing = undefined;
    };
    return html`<form class="row" @submit=${save} @keydown=${leave}>
      ${field({ label: t("bookmarkList.noteAt", { time: clock(position) }), name: "note", value: note })}
      <button class="primary" ?disabled=${this.#action.busy}>${t("bookmarkList.save")}</button>
      <button type="button" @click=${() => (this.editing = undefined)}>${t("bookmarkList.cancel")}</button>
    </form>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "audiobooks-bookmarks": BookmarkList;
  }
}
