import { cover, covers, element, LongboxElement, t } from "@longbox/sdk/ui";
import { css, html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { progressBar, progressStyle } from "./progress.js";
import type { ListRow } from "@longbox/lists/api";
import { style } from "./style.js";
import { facts, joined } from "./wording.js";

/** One list in the overview: a strip of covers, the name, and how much of it is owned and read. */
@element("lists-card")
export class ListsCard extends LongboxElement {
  @property({ attribute: false }) list!: ListRow;

  static override styles = [
    style,
    covers,
    progressStyle,
    css`
      a {
        display: grid;
        color: inherit;
        gap: var(--lb-space-3);
        height: 100%;
        align-content: space-between;
        padding: var(--lb-space-4);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
        text-decoration: none;
        transition: box-shadow var(--lb-fast);
      }
      a:hover {
        box-shadow: var(--lb-shadow-2);
      }
      .strip {
        display: grid;
        grid-template-columns: repeat(5, minmax(0, 1fr));
        gap: var(--lb-space-2);
        min-height: 5.5rem;
      }
      .about {
        display: grid;
        gap: var(--lb-space-2);
      }
      h3 {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        line-clamp: 2;
      }
      .empty {
        grid-column: 1 / -1;
        display: grid;
        place-content: center;
        border: 1.5px dashed var(--lb-line);
        border-radius: var(--lb-radius-s);
      }
    `,
  ];

  override render(): TemplateResult {
    const { list } = this;
    return html`<a href="/lists/${list.id}">
      <div class="strip" aria-hidden="true">
        ${list.covers.length === 0 ? html`<span class="empty soft">${list.items === 0 ? t("listCard.noItemsYet") : t("listCard.nothingOwnedYet")}</span>` : list.covers.map((path) => cover({ path, title: "", sizes: "96px" }))}
      </div>
      <div class="about">
        <h3>${list.name}</h3>
        ${progressBar({ total: list.items, owned: list.owned, read: list.read })}
        <p class="facts">
          ${joined([facts({ ...list, total: list.items }), list.mine && list.public && t("listCard.public")])}
        </p>
      </div>
    </a>`;
  }
}
