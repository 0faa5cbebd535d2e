import { Action, element, LongboxElement, notice, Resource, t, wholePageStates } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import "./list-head.js";
import "./list-items.js";
import type { ImportOutcome, Item, ListDocument } from "@longbox/lists/api";
import { pageStyle } from "./style.js";
import { issueLabel } from "@longbox/collection/client";
import { imported, nameOf } from "./wording.js";

/** `/lists/:id`: one list; its owner can also reorder it. */
@element("lists-list-page")
export class ListsListPage extends LongboxElement<{ readonly id?: string }> {
  readonly #list = new Resource<ListDocument>(this, { path: () => this.#path, domains: ["lists", "reader"] });
  readonly #looking = new Action(this, { notify: true, after: () => this.#list.refresh() });
  readonly #changing = new Action(this, { notify: true });
  /** Changes are sent one after the other, because each refers to the order after the previous one. */
  #turn: Promise<unknown> = Promise.resolve();

  static override styles = [
    pageStyle,
    css`
      .unmatched {
        display: grid;
        gap: var(--lb-space-3);
        border-inline-start: 4px solid var(--lb-warning);
      }
      .unmatched ul {
        max-height: 22rem;
        overflow-y: auto;
      }
      .unmatched li {
        display: grid;
        padding: var(--lb-space-2) 0;
      }
      .unmatched li + li {
        border-top: 1px solid var(--lb-line);
      }
    `,
  ];

  override render(): unknown {
    return this.#list.render((list) => this.#page(list), {
      ...wholePageStates,
      failed: (text) =>
        notice({
          drawing: "torn",
          isPage: true,
          heading: t("listPage.thisListCouldNot"),
          text,
          isProblem: true,
          action: { label: t("listPage.allLists"), run: () => this.longbox.back("/lists") },
        }),
    });
  }

  #page(list: ListDocument): TemplateResult {
    return html`<div class="page">
      <lists-head .longbox=${this.longbox} .list=${list} @changed=${() => this.#list.refresh()}></lists-head>
      ${this.#unmatched(list)}
      ${list.items.length > 0 ? nothing : notice({ drawing: "box", heading: t("listPage.nothingIsInIt"), text: list.mine ? t("listPage.thisListIsEmpty") : t("listPage.thisListContainsNothing") })}
      <lists-items
        .longbox=${this.longbox}
        .items=${list.items}
        ?mine=${list.mine}
        @order=${(event: CustomEvent<Item[]>) => this.#order(list, event.detail)}
        @take=${(event: CustomEvent<Item>) => this.#take(event.detail)}
      ></lists-items>
    </div>`;
  }

  #unmatched({ unmatched }: ListDocument): TemplateResult | typeof nothing {
    if (unmatched.length === 0) return nothing;
    const { busy } = this.#looking;
    return html`<section class="card unmatched" aria-labelledby="unmatched">
      <h2 id="unmatched">${t("listPage.itemsWereNotFound", { unmatched: unmatched.length })}</h2>
      <ul tabindex="0" aria-label=${t("listPage.itemsThatWereNot")}>
        ${unmatched.map((book) => html`<li><strong>${book.series || t("listPage.noSeriesNamed")} ${issueLabel(book.number)}${book.volume ? ` (${book.volume})` : ""}</strong><span class="soft">${this.longbox.said(book.reason)}</span></li>`)}
      </ul>
      <div class="row">
        <button ?disabled=${busy} @click=${() => this.#lookAgain()}>${t("listPage.lookAgain")}</button>
        <button
          ?disabled=${busy}
          @click=${() => this.#looking.run(() => this.longbox.api(`${this.#path}/unmatched`, { method: "DELETE" }))}
        >
          ${t("listPage.forgetThem")}
        </button>
      </div>
    </section>`;
  }

  get #path(): string {
    return `/api/lists/${encodeURIComponent(this.subject.id ?? "")}`;
  }

  #lookAgain(): Promise<boolean> {
    return this.#looking.run(async () =>
      this.longbox.notify(imported(await this.post<ImportOutcome>(`${this.#path}/match`))),
    );
  }

  #order(list: ListDocument, items: readonly Item[]): void {
    this.#change({ ...(this.#list.value ?? list), items: [...items] }, () =>
      this.longbox.api(this.#path, { method: "PATCH", body: { order: items.map((item) => item.cvIssueId) } }),
    );
  }

  #take(item: Item): void {
    const list = this.#list.value;
    const at = list?.items.indexOf(item) ?? -1;
    if (!list || at < 0) return;
    this.#change({ ...list, total: list.total - 1, items: list.items.filter((other) => other !== item) }, async () => {
      await this.longbox.api(`${this.#path}/items/${item.cvIssueId}?position=${at + 1}`, { method: "DELETE" });
      this.longbox.notify(t("listPage.wasRemovedFromThe", { item: nameOf(item) }));
    });
  }

  /** Shows the new order at once, and the old one again when the server refuses the change. */
  #change(next: ListDocument, work: () => Promise<unknown>): void {
    this.#list.put(next);
    this.#turn = this.#turn.then(() => this.#changing.run(work)).then(() => this.#list.refresh());
  }
}
